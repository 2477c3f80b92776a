// Keeps the files of the page, so that it works without network after the first load.
importScripts("python/files.js"); // VERSION and FILES, as .ci/make-playground wrote them
const PREFIX = "quotalint-playground-";
const CACHE = PREFIX + VERSION;

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)));
});

addEventListener("activate", (event) => event.waitUntil(takeOver()));

async function takeOver() {
  const old = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
  await clients.claim();
}

addEventListener("fetch", (event) => event.respondWith(respond(event.request)));

async function respond(request) {
  return (await (await caches.open(CACHE)).match(request)) ?? fetch(request);
}
