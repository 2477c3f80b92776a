// Starts `quotalint lsp`, and shows the tightest quota of the file in hand.
import * as vscode from "vscode";
import { LanguageClient, type Location } from "vscode-languageclient/node";
import { argumentsOf, findAge, findProblem, findProgram, printOf, type Program, type Settings } from "./program";

const FILES = "**/*.{yaml,yml,tf}";
const READ = "**/*.{yaml,yml,json,tf,tpl,gotmpl}";
const PAUSE = 300; // ms after a keystroke, until the status bar follows

interface Tightest {
  text: string;
  percent: number;
  tooltip: string;
  location: Location;
}

const outdated = new vscode.EventEmitter<vscode.Uri>();
let client: LanguageClient | undefined;
let starting = Promise.resolve();
let status: vscode.StatusBarItem;
let version: string;
let waiting: NodeJS.Timeout | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<{ status: vscode.StatusBarItem }> {
  version = context.extension.packageJSON.version;
  status = vscode.window.createStatusBarItem("quotalint.tightest", vscode.StatusBarAlignment.Left);
  status.name = "quotalint: tightest quota";
  context.subscriptions.push(
    status,
    vscode.workspace.registerTextDocumentContentProvider("quotalint", {
      onDidChange: outdated.event,
      provideTextDocumentContent: (uri) => print(uri.path),
    }),
    vscode.commands.registerCommand("quotalint.usage", () => show("usage")),
    vscode.commands.registerCommand("quotalint.suggest", () => show("suggest")),
    vscode.commands.registerCommand("quotalint.restart", restart),
    vscode.workspace.onDidGrantWorkspaceTrust(restart),
    vscode.workspace.onDidChangeWorkspaceFolders(restart),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (["path", "arguments", "with"].some((name) => change.affectsConfiguration(`quotalint.${name}`))) {
        void restart();
      }
    }),
    vscode.window.onDidChangeActiveTextEditor(() => void showTightest()),
    vscode.workspace.onDidChangeTextDocument((change) => {
      if (change.document === vscode.window.activeTextEditor?.document) {
        clearTimeout(waiting);
        waiting = setTimeout(showTightest, PAUSE);
      }
    }),
  );
  await restart();
  return { status };
}

export async function deactivate(): Promise<void> {
  clearTimeout(waiting);
  await starting;
  await client?.dispose();
}

/** One start after the other, each with the settings of its moment. */
function restart(): Promise<void> {
  starting = starting.then(start).catch((error) => tell(`quotalint does not start: ${error}`));
  return starting;
}

async function start(): Promise<void> {
  await client?.dispose();
  client = undefined;
  const chosen = choose();
  if (chosen === undefined) {
    return;
  }
  const { program, settings, folder } = chosen;
  const args = argumentsOf(program, "lsp", settings);
  const problem = await findProblem(program.command, args, folder.uri.fsPath);
  if (problem) {
    return tell(problem);
  }
  const started = new LanguageClient(
    "quotalint",
    "quotalint",
    { command: program.command, args, options: { cwd: folder.uri.fsPath } },
    {
      documentSelector: [{ scheme: "file", pattern: FILES }],
      workspaceFolder: folder,
      synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher(READ) },
    },
  );
  await started.start();
  client = started;
  const age = findAge(started.initializeResult?.serverInfo?.version, version);
  if (age) {
    tell(age);
  }
  await showTightest();
}

/** The program, the settings and the first folder; undefined if there is none of these, which is told. */
function choose(): { program: Program; settings: Settings; folder: vscode.WorkspaceFolder } | undefined {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter((each) => each.uri.scheme === "file");
  const settings = vscode.workspace.getConfiguration("quotalint") as unknown as Settings;
  const folder = folders[0];
  if (folder === undefined) {
    return undefined;
  }
  const program = findProgram(settings, folders.map((each) => each.uri.fsPath));
  if (typeof program === "string") {
    tell(program);
    return undefined;
  }
  return { program, settings, folder };
}

/** Show the tightest quota of the file in hand; nothing if it has none. */
async function showTightest(): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  const uri = document?.uri.toString();
  const isAsked = client?.isRunning() && document?.uri.scheme === "file";
  const found = isAsked ? await client?.sendRequest<Tightest | null>("quotalint/tightest", { uri }).catch(() => null) : null;
  if (vscode.window.activeTextEditor?.document !== document) {
    return; // another file is in hand by now, and has its own answer
  }
  if (!found || !client) {
    return status.hide();
  }
  const place = client.protocol2CodeConverter.asLocation(found.location);
  status.text = `$(dashboard) ${found.text}`;
  status.tooltip = new vscode.MarkdownString(found.tooltip);
  status.backgroundColor = found.percent > 100 ? new vscode.ThemeColor("statusBarItem.errorBackground") : undefined;
  status.command = { title: "Show the quota", command: "vscode.open", arguments: [place.uri, { selection: place.range }] };
  status.show();
}

/** Show what a command of the program prints, in a document that cannot be changed. */
async function show(command: string): Promise<void> {
  const uri = vscode.Uri.from({ scheme: "quotalint", path: command });
  if (vscode.workspace.textDocuments.some((document) => document.uri.toString() === uri.toString())) {
    outdated.fire(uri);
  }
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
}

/** What a command prints, for the files as they are saved. */
async function print(command: string): Promise<string> {
  const chosen = choose();
  if (chosen === undefined) {
    return "";
  }
  const { program, settings, folder } = chosen;
  const shown = { location: vscode.ProgressLocation.Window, title: `quotalint ${command}` };
  const args = argumentsOf(program, command, settings);
  return vscode.window.withProgress(shown, () => printOf(program.command, args, folder.uri.fsPath));
}

function tell(problem: string): void {
  void vscode.window.showErrorMessage(problem, "Open Settings").then((answer) => {
    if (answer !== undefined) {
      void vscode.commands.executeCommand("workbench.action.openSettings", "quotalint");
    }
  });
}
