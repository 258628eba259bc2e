# What Homebrew does with a formula, as far as ours uses it: brew.rb FORMULA ARCH PREFIX. Unpacks the archive, whose hash has to
# be that of the formula, installs into the prefix, and runs the formula's test where ARCH is this machine's.

require "digest"
require "fileutils"
require "rbconfig"
require "tmpdir"

# A folder that files are installed into.
class Place
  def initialize(path)
    @path = path
  end

  def install(*things)
    FileUtils.mkdir_p(@path)
    things.flatten.each do |thing|
      names = thing.is_a?(Hash) ? thing : { thing => File.basename(thing) }
      names.each { |from, to| FileUtils.mv(from, File.join(@path, to)) }
    end
  end

  def to_s
    @path
  end
end

class Formula
  FACTS = {}
  PLACES = { bin: "bin", man1: "share/man/man1", man7: "share/man/man7", bash_completion: "etc/bash_completion.d",
             zsh_completion: "share/zsh/site-functions", fish_completion: "share/fish/vendor_completions.d",
             pkgshare: "share/kubectl-dra" }.freeze

  class << self
    attr_reader :heir, :check

    def inherited(heir)
      super
      Formula.instance_variable_set(:@heir, heir)
    end

    %i[desc homepage version license url sha256].each do |fact|
      define_method(fact) { |value| FACTS[fact] = value }
    end

    def depends_on(system)
      raise "depends on #{system}" unless system == :linux
    end

    def on_linux
      yield
    end

    def on_intel
      yield if ARGV[1] == "amd64"
    end

    def on_arm
      yield if ARGV[1] == "arm64"
    end

    def test(&check)
      Formula.instance_variable_set(:@check, check)
    end
  end

  PLACES.each do |name, path|
    define_method(name) { Place.new(File.join(ARGV[2], path)) }
  end

  def version
    FACTS[:version]
  end

  def shell_output(command)
    output = `#{command}`
    raise "#{command} ends with #{$?.exitstatus}" unless $?.success?

    output
  end

  def assert_match(part, whole)
    raise "#{part} is missing in #{whole}" unless whole.include?(part)
  end
end

load File.expand_path(ARGV[0])
formula = Formula.heir.new
Formula::FACTS.each { |fact, value| puts "#{fact} #{value}" }
archive = Formula::FACTS[:url].delete_prefix("file://")
raise "another hash" unless Digest::SHA256.file(archive).hexdigest == Formula::FACTS[:sha256]

Dir.mktmpdir do |folder|
  system("tar", "-xzf", archive, "-C", folder, exception: true)
  # Homebrew goes into the one folder that an archive has.
  Dir.chdir(Dir.children(folder).then { |names| File.join(folder, names.fetch(0)) }) { formula.install }
end

if RbConfig::CONFIG["host_cpu"] == { "amd64" => "x86_64", "arm64" => "aarch64" }.fetch(ARGV[1])
  formula.instance_eval(&Formula.check)
  puts "test passed"
end
