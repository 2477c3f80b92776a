# Written by .ci/make-channels out of action/requirements.txt, not by hand.
class Quotalint < Formula
  include Language::Python::Virtualenv

  desc "Kubernetes quotas, checked before you merge"
  homepage "https://github.com/quotalint/quotalint"
  url "https://github.com/quotalint/quotalint.git", tag: "v1.0.0"
  license "Apache-2.0"
  head "https://github.com/quotalint/quotalint.git", branch: "main"

  depends_on "help2man" => :build
  depends_on "rpds-py" => :no_linkage
  depends_on "libyaml"
  depends_on "python@3.14"

  resource "click" do
    url "https://files.pythonhosted.org/packages/31/7d/164b7ffc8624fe9efb4221bf9af485d5c1e41b9ae118045d2b6dc5457d8b/click-8.5.1-py3-none-any.whl"
    sha256 "8bb5376d2006950386f8c6427613334a2acadc5f559cb80e638d00b4df957e37"
  end

  resource "pyyaml" do
    url "https://files.pythonhosted.org/packages/76/b8/c0b780928e2fb1c87e9e375818c6f121da2398b071012d1747be300b83f4/pyyaml-6.0.4.tar.gz"
    sha256 "e24bf71af8a432d7808fabff134d38dfe16d3cbb41f2873bb4b1e42422de0a1a"
  end

  resource "ruamel-yaml" do
    url "https://files.pythonhosted.org/packages/b8/0c/51f6841f1d84f404f92463fc2b1ba0da357ca1e3db6b7fbda26956c3b82a/ruamel_yaml-0.19.1-py3-none-any.whl"
    sha256 "27592957fedf6e0b62f281e96effd28043345e0e66001f97683aa9a40c667c93"
  end

  def install
    virtualenv_install_with_resources
    system ".ci/make-man", man1, bin/"quotalint"
    generate_completions_from_executable(bin/"quotalint", "completion", shells: [:bash, :zsh, :fish])
  end

  test do
    (testpath/"quota.yaml").write <<~YAML
      apiVersion: v1
      kind: ResourceQuota
      metadata: {name: base, namespace: team-a}
      spec: {hard: {memory.limit: 1Gi}}
    YAML
    assert_match "QL102", shell_output("#{bin}/quotalint check", 1)
  end
end
