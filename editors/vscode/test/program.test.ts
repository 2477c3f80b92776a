// Which program is run, and what is said if it cannot be.
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { test } from "node:test";
import { argumentsOf, findAge, findProblem, findProgram, type Settings } from "../src/program";

const top = mkdtempSync(path.join(tmpdir(), "quotalint-"));
const [outside, repository] = [path.join(top, "bin"), path.join(top, "repository")];
const settings: Settings = { path: "quotalint", arguments: [], with: [] };

function script(file: string, text: string): string {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${text}\n`);
  chmodSync(file, 0o755);
  return file;
}

const theirs = script(path.join(repository, ".venv/bin/quotalint"), "exit 0");
const ours = script(path.join(outside, "quotalint"), "exit 0");

test("a plain name is looked up on PATH, but not in the open folder", () => {
  const search = [".", path.dirname(theirs), outside].join(path.delimiter);
  assert.deepEqual(findProgram(settings, [repository], search), { command: ours, arguments: [] });
  assert.match(findProgram(settings, [repository], path.dirname(theirs)) as string, /is in the open folder/);
  assert.match(findProgram(settings, [repository], "") as string, /not on PATH. Install it with: pip install 'quotalint\[lsp\]'/);
});

test("links into and out of the open folder do not help", () => {
  const [into, out] = [path.join(top, "into"), path.join(repository, "out")];
  mkdirSync(into);
  symlinkSync(theirs, path.join(into, "quotalint"));
  mkdirSync(out);
  symlinkSync(ours, path.join(out, "quotalint"));
  for (const folder of [into, out]) {
    assert.match(findProgram(settings, [repository], folder) as string, /is in the open folder/);
  }
});

test("what the user sets is run, wherever it is", () => {
  const chosen = { ...settings, path: "${workspaceFolder}/.venv/bin/quotalint" };
  assert.deepEqual(findProgram(chosen, [repository], ""), { command: theirs, arguments: [] });
  assert.match(findProgram({ ...settings, path: "/nowhere" }, [], "") as string, /\/nowhere is not a program/);
  assert.match(findProgram({ ...settings, path: "./quotalint" }, [repository], outside) as string, /absolute path/);
});

test("snapshots and leading arguments reach the program", () => {
  const program = { command: "python3", arguments: ["-P", "-m", "quotalint"] };
  const given = argumentsOf(program, "usage", { ...settings, with: ["prod=a.yaml", "b.yaml"] });
  assert.deepEqual(given, ["-P", "-m", "quotalint", "usage", "--with", "prod=a.yaml", "--with", "b.yaml"]);
});

test("a server that does not start says what to do", async () => {
  const bare = script(path.join(top, "bare"), "echo \"needs pygls: pip install 'quotalint[lsp]'\" >&2; exit 2");
  assert.match(await findProblem(bare, ["lsp"], top), /no language server yet. Install it with: pip install/);
  const broken = script(path.join(top, "broken"), "echo no such file: a.yaml >&2; exit 2");
  assert.match(await findProblem(broken, ["lsp"], top), /lsp fails: no such file: a.yaml/);
  assert.equal(await findProblem(ours, ["lsp"], top), "");
});

test("an older server is named, whatever its last number", () => {
  assert.match(findAge("0.9.7", "1.0.0"), /0.9.7 is older than this extension .*pip install --upgrade/);
  assert.match(findAge(undefined, "1.0.0"), /older/);
  for (const version of ["1.0.0", "1.1.0", "2.0.0"]) {
    assert.equal(findAge(version, "1.0.3"), "");
  }
});
