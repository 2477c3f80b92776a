"use strict";
// The search of the site runs in a worker, which a browser does not start for a page out of a folder (file:). There, a hidden
// frame that holds the same script takes its place. zensical would load such a stand-in from another host: it leaves that out
// where extra.polyfills of mkdocs.yml names a file called so.
if (location.protocol === "file:") {
  window.Worker = class {
    constructor(address) {
      this.waiting = [];
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      this.frame.title = "search";
      document.documentElement.append(this.frame);
      const inside = this.frame.contentWindow;
      inside.postMessage = (given) => {
        const data = structuredClone(given); // as between a page and its worker, neither can change what the other has
        setTimeout(() => this.onmessage?.({ data }));
      };
      inside.onerror = (message) => this.onerror?.({ message });
      const script = inside.document.createElement("script");
      script.src = new URL(address, location.href).href;
      script.onload = () => {
        this.ready = true;
        this.waiting.splice(0).forEach((data) => this.postMessage(data));
      };
      script.onerror = () => this.onerror?.({ message: `${address} cannot be loaded` });
      inside.document.head.append(script);
    }

    postMessage(given) {
      const inside = this.frame.contentWindow;
      const data = inside?.structuredClone(given);
      if (this.ready) setTimeout(() => inside?.onmessage?.({ data }));
      else this.waiting.push(data);
    }

    terminate() {
      this.frame.remove();
    }
  };
}
