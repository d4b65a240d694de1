/** What a unit script runs; built by the commands, written and supervised by the programs. */
export interface Unit {
  /** The tool and its arguments. argv[0] is a bare tool name, never a shell line. */
  argv: readonly string[]
  /**
   * 'after-clean-exit': a caller whose peer is away ends with code 0; the script then waits 2 s, or
   * 0.2 s after a connection that lasted, and runs it again. Any other end ends the script with that code (decisions.md 5).
   * 'always': for a tool that ends with the same code whether its far end is away for a minute or
   * its command is wrong, as ffmpeg does; supervisord would give it up after three tries. Each try
   * is written to its log, and only a signal ends the script.
   */
  repeat: 'never' | 'after-clean-exit' | 'always'
  /** Which reader understands what it prints. */
  output: 'srt' | 'rist' | 'ffmpeg'
  /** 'send' or 'receive' where there is a far end that may be away: whose counters count. */
  direction: 'send' | 'receive' | 'none'
  /** Values that must never be shown: cut out of every line before it leaves the host. */
  secrets: readonly string[]
}

/** A unit and what it will do otherwise than configured, as operator's sentences. */
export interface BuiltUnit {
  unit: Unit
  warnings: string[]
}
