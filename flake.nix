{
  description = "Kubernetes quotas, checked before you merge";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixpkgs-unstable";

  outputs = { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ];
      version = builtins.head (builtins.match ".*__version__ = \"([^\"]+)\".*" (builtins.readFile ./quotalint/version.py));
    in
    {
      packages = nixpkgs.lib.genAttrs systems (system:
        let pkgs = nixpkgs.legacyPackages.${system}; in {
          default = pkgs.python3Packages.buildPythonApplication {
            pname = "quotalint";
            inherit version;
            src = self;
            pyproject = true;
            build-system = [ pkgs.python3Packages.hatchling ];
            dependencies = with pkgs.python3Packages; [ click pyyaml ruamel-yaml ];
            nativeBuildInputs = [ pkgs.help2man ];
            postInstall = "bash .ci/make-man $out/share/man/man1 $out/bin/quotalint";
            pythonImportsCheck = [ "quotalint" ];
            meta = {
              homepage = "https://github.com/quotalint/quotalint";
              license = nixpkgs.lib.licenses.asl20;
              mainProgram = "quotalint";
            };
          };
        });
    };
}
