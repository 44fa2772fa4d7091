# SPDX-License-Identifier: MIT
# Nix: the program as it was released, with the libraries of nixpkgs.
{
  inputs.nixpkgs.url = "nixpkgs";
  outputs = { self, nixpkgs }:
    let
      checksums = {
        x86_64-linux = "@SHA256_X86_64@";
        aarch64-linux = "@SHA256_AARCH64@";
      };
      package = system: sha256:
        let
          pkgs = nixpkgs.legacyPackages.${system};
          name = "fileq-@VERSION@-linux-${pkgs.stdenv.hostPlatform.uname.processor}";
        in pkgs.stdenv.mkDerivation {
          pname = "fileq";
          version = "@VERSION@";
          src = pkgs.fetchurl {
            url = "@RELEASES@/v@VERSION@/${name}.tar.zst";
            inherit sha256;
          };
          nativeBuildInputs = [ pkgs.autoPatchelfHook pkgs.zstd ];
          buildInputs = [ pkgs.ncurses pkgs.sqlite ];
          # Those that the program loads itself.
          runtimeDependencies = [ (pkgs.lib.getLib pkgs.curl) pkgs.libpsl ];
          dontStrip = true;
          installPhase = "mkdir $out && cp -R bin share $out";
          meta = {
            description = "Transfer files over HTTP, and resume what was interrupted";
            license = pkgs.lib.licenses.mit;
            mainProgram = "fileq";
          };
        };
    in {
      packages = builtins.mapAttrs (system: sha256: { default = package system sha256; }) checksums;
    };
}
