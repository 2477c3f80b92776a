// Run by the editor itself, in a folder with quota.yaml (4 pods) and web.yaml (2 replicas): see .ci/try-vscode.
import assert from "node:assert/strict";
import * as vscode from "vscode";

async function until<T>(what: string, find: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (let waited = 0; waited < 120_000; waited += 200) {
    const found = await find();
    if (found !== undefined) {
      return found;
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`not seen in two minutes: ${what}`);
}

export async function run(): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri as vscode.Uri;
  const [web, quota] = [vscode.Uri.joinPath(folder, "web.yaml"), vscode.Uri.joinPath(folder, "quota.yaml")];
  const document = await vscode.workspace.openTextDocument(web);
  const editor = await vscode.window.showTextDocument(document, { preview: false });
  const extension = vscode.extensions.getExtension<{ status: vscode.StatusBarItem }>("quotalint.quotalint");
  const status = (await extension?.activate())?.status;
  await until("the status bar", () => (status?.text === "$(dashboard) pods 2 of 4 (50 %)" ? true : undefined));

  const at = document.getText().indexOf("replicas: 2") + "replicas: ".length;
  await editor.edit((edit) => edit.replace(new vscode.Range(document.positionAt(at), document.positionAt(at + 1)), "9"));
  const finding = await until("the finding at replicas", () => vscode.languages.getDiagnostics(web).find((each) => each.code === "QL301"));
  assert.equal(finding.range.start.line, document.positionAt(at).line);
  assert.equal(finding.severity, vscode.DiagnosticSeverity.Error);
  assert.equal(finding.relatedInformation?.[0]?.location.uri.path, quota.path);
  await until("the status bar after the edit", () => (status?.text === "$(dashboard) pods 9 of 4 (225 %)" ? true : undefined));
  assert.ok(status?.backgroundColor);

  const last = new vscode.Position(document.lineCount - 2, 4);
  const hovers = await vscode.commands.executeCommand<vscode.Hover[]>("vscode.executeHoverProvider", web, last);
  assert.match(hovers.flatMap((hover) => hover.contents as vscode.MarkdownString[]).map((each) => each.value).join(), /Deployment `web`/);

  for (const [command, words] of [["usage", /pods/], ["suggest", /quota\.yaml/]] as const) {
    await vscode.commands.executeCommand(`quotalint.${command}`);
    assert.match(vscode.window.activeTextEditor?.document.getText() ?? "", words);
  }
  await vscode.window.showTextDocument(document);

  // The folder is not trusted, so its settings do not decide which program is run.
  assert.equal(vscode.workspace.isTrusted, false);
  const path = () => vscode.workspace.getConfiguration("quotalint").get("path");
  const ours = path();
  await vscode.workspace.getConfiguration("quotalint").update("path", "theirs", vscode.ConfigurationTarget.Workspace);
  const written = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder, ".vscode/settings.json"));
  assert.match(new TextDecoder().decode(written), /"quotalint.path": "theirs"/);
  assert.equal(path(), ours);
  await vscode.commands.executeCommand("quotalint.restart");
  await until("the finding again", () => vscode.languages.getDiagnostics(web).find((each) => each.code === "QL301"));
  await until("the status bar again", () => (status?.text === "$(dashboard) pods 9 of 4 (225 %)" ? true : undefined));
}
