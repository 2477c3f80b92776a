// The real server, asked in the words of the editor's protocol library. QUOTALINT is the program.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import * as lsp from "vscode-languageserver-protocol/node";
import { findProblem } from "../src/program";

const program = process.env.QUOTALINT ?? "quotalint";
const folder = mkdtempSync(path.join(tmpdir(), "quotalint-"));
const QUOTA = "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: base, namespace: a}\nspec:\n  hard:\n    pods: 4\n";
const web = (replicas: number) => `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: a}
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: web}]}}
`;
const [quotaUri, uri] = ["quota.yaml", "web.yaml"].map((name) => pathToFileURL(path.join(folder, name)).href) as [string, string];
writeFileSync(path.join(folder, "quota.yaml"), QUOTA);
writeFileSync(path.join(folder, "web.yaml"), web(2));

const server = spawn(program, ["lsp"], { cwd: folder, stdio: ["pipe", "pipe", "inherit"] });
const connection = lsp.createProtocolConnection(
  new lsp.StreamMessageReader(server.stdout),
  new lsp.StreamMessageWriter(server.stdin),
);
let shown: (diagnostics: lsp.Diagnostic[]) => void = () => undefined;
connection.onNotification(lsp.PublishDiagnosticsNotification.type, (published) => {
  if (published.uri === uri && published.diagnostics.some((each) => each.code === "QL301")) {
    shown(published.diagnostics);
  }
});
connection.listen();
after(() => {
  connection.dispose();
  server.kill();
});

test("the program of the environment starts", async () => {
  assert.equal(await findProblem(program, ["lsp"], folder), "");
});

test("who types replicas sees the finding there, and the tightest quota", async () => {
  const workspaceFolders = [{ uri: pathToFileURL(folder).href, name: "repository" }];
  const begun = await connection.sendRequest(lsp.InitializeRequest.type, {
    processId: process.pid,
    rootUri: null,
    capabilities: {},
    workspaceFolders,
  });
  assert.ok(begun.serverInfo?.version);
  await connection.sendNotification(lsp.InitializedNotification.type, {});
  const textDocument = { uri, languageId: "yaml", version: 1, text: web(2) };
  await connection.sendNotification(lsp.DidOpenTextDocumentNotification.type, { textDocument });
  const published = new Promise<lsp.Diagnostic[]>((resolve) => (shown = resolve));
  const change = { textDocument: { uri, version: 2 }, contentChanges: [{ text: web(9) }] };
  await connection.sendNotification(lsp.DidChangeTextDocumentNotification.type, change);
  const finding = (await published).find((each) => each.code === "QL301");
  assert.equal(finding?.range.start.line, 4);
  assert.equal(finding?.severity, lsp.DiagnosticSeverity.Error);
  assert.equal(finding?.relatedInformation?.[0]?.location.uri, quotaUri);
  const position = { line: 6, character: 10 };
  const hover = await connection.sendRequest(lsp.HoverRequest.type, { textDocument: { uri }, position });
  assert.match((hover?.contents as lsp.MarkupContent).value, /Deployment `web`/);
  const tightest = await connection.sendRequest<{ text: string; percent: number; location: lsp.Location }>("quotalint/tightest", { uri });
  assert.equal(tightest.text, "pods 9 of 4 (225 %)");
  assert.equal(tightest.location.uri, quotaUri);
});
