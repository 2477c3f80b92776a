// The program: where it is, how it is called, and what is wrong with it.
import { execFile } from "node:child_process";
import { accessSync, constants, realpathSync, statSync } from "node:fs";
import * as path from "node:path";

export interface Settings {
  path: string;
  arguments: string[];
  with: string[];
}

export interface Program {
  command: string;
  arguments: string[];
}

const INSTALL = "Install it with: pip install 'quotalint[lsp]'";

/** The program that the settings name, or what to do if there is none. */
export function findProgram(settings: Settings, folders: string[], search = process.env.PATH ?? ""): Program | string {
  const named = settings.path.replaceAll("${workspaceFolder}", folders[0] ?? "");
  if (path.isAbsolute(named)) {
    return isProgram(named)
      ? { command: named, arguments: settings.arguments }
      : `${named} is not a program. Correct the setting quotalint.path.`;
  }
  if (path.basename(named) !== named) {
    return "The setting quotalint.path must be a plain name, or an absolute path such as ${workspaceFolder}/.venv/bin/quotalint.";
  }
  const names = process.platform === "win32" && !path.extname(named) ? [`${named}.exe`] : [named];
  const found = search
    .split(path.delimiter)
    .filter(path.isAbsolute)
    .flatMap((folder) => names.map((name) => path.join(folder, name)))
    .filter(isProgram);
  const trusted = found.find((file) => !folders.some((folder) => isInside(file, folder)));
  if (trusted !== undefined) {
    return { command: trusted, arguments: settings.arguments };
  }
  return found[0] === undefined
    ? `${named} is not on PATH. ${INSTALL}, or set quotalint.path.`
    : `${found[0]} is in the open folder, so it is not run by itself. If you trust it, set quotalint.path to it.`;
}

/** The arguments of a command, with the snapshots. */
export function argumentsOf(program: Program, command: string, settings: Settings): string[] {
  return [...program.arguments, command, ...settings.with.flatMap((file) => ["--with", file])];
}

/** Why the server does not start, and what to do; empty if it starts, or takes its time. */
export function findProblem(command: string, args: string[], cwd: string): Promise<string> {
  return new Promise((resolve) => {
    const child = execFile(command, args, { cwd, timeout: 30_000 }, (error, _, stderr) => {
      if (error === null || error.killed) {
        resolve("");
      } else if (stderr.includes("quotalint[lsp]")) {
        resolve(`${command} has no language server yet. ${INSTALL}`);
      } else {
        resolve(`${command} ${args.join(" ")} fails: ${stderr.trim() || error.message}`);
      }
    });
    child.stdin?.on("error", () => undefined); // it may end before it reads
    child.stdin?.end(); // without input, a server ends at once
  });
}

/** What a command prints on both streams. */
export function printOf(command: string, args: string[], cwd: string): Promise<string> {
  return new Promise((resolve) => {
    execFile(command, args, { cwd, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      resolve([stdout, stderr].filter(Boolean).join("\n") || error?.message || "");
    });
  });
}

/** Why the server is too old for this extension; empty if it is not. They are released together. */
export function findAge(server: string | undefined, extension: string): string {
  const [ours, theirs] = [extension, server ?? "0"].map((version) => version.split(".").map(Number));
  const older = ours?.slice(0, 2).map((number, index) => number - (theirs?.[index] || 0)).find((by) => by !== 0) ?? 0;
  return older > 0
    ? `quotalint ${server ?? "of an unknown version"} is older than this extension (${extension}). Update it with: pip install --upgrade 'quotalint[lsp]'`
    : "";
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Whether a file is in a folder, or is a link to one that is. */
function isInside(file: string, folder: string): boolean {
  const real = realpathSync(folder);
  return [realpathSync(file), path.join(realpathSync(path.dirname(file)), path.basename(file))].some((place) => {
    const within = path.relative(real, place);
    return !within.startsWith("..") && !path.isAbsolute(within);
  });
}
