/** The agent's settings: one JSON file, and the few things it takes from its environment. */
import { readFileSync } from 'node:fs'
import { AgentConfig } from '@trunkline/contract/agent/agent-config.schema'
import type { z } from 'zod'

/** Where the Debian package has it. */
export const DEFAULT_CONFIG = '/etc/trunkline-agent/agent.json'

export class ConfigRefused extends Error {
  override readonly name = 'ConfigRefused'
}

/** Throws ConfigRefused with every fault of the file, one a line. */
export function readConfig(file: string): AgentConfig {
  const parsed = AgentConfig.safeParse(parseJson(file))
  if (!parsed.success) throw new ConfigRefused(faultLines(file, parsed.error.issues))
  const taken = duplicatePorts(parsed.data)
  if (taken.length > 0) {
    throw new ConfigRefused(
      `${file}: port ${taken.join(', ')} is given twice. Give each seat, and the metrics, a port of its own.`,
    )
  }
  return parsed.data
}

function parseJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ConfigRefused(`The configuration ${file} cannot be read: ${reason}`)
  }
}

function faultLines(file: string, issues: readonly z.core.$ZodIssue[]): string {
  const lines = issues.map(
    (issue) => `  ${issue.path.join('.') || '(whole file)'}: ${issue.message}`,
  )
  return [`The configuration ${file} has ${issues.length} fault(s):`, ...lines].join('\n')
}

function duplicatePorts(config: AgentConfig): number[] {
  const metrics = config.metrics === undefined ? [] : [config.metrics.port]
  const ports = [...config.seats.map((seat) => seat.port), ...metrics]
  return [...new Set(ports.filter((port, index) => ports.indexOf(port) !== index))]
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

export function logLevel(): string {
  const level = process.env['TRUNKLINE_LOG_LEVEL'] ?? 'info'
  if (LOG_LEVELS.includes(level)) return level
  throw new ConfigRefused(`TRUNKLINE_LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}.`)
}

/**
 * Whether the service trunkline-agent-programs starts supervisord, as where the Debian package is
 * installed. The agent then waits for it: systemd ends what the agent started together with the agent.
 */
export function isSupervisordService(): boolean {
  const value = process.env['TRUNKLINE_SUPERVISORD'] ?? ''
  if (value === '' || value === 'service') return value === 'service'
  throw new ConfigRefused('TRUNKLINE_SUPERVISORD must be "service", or be left out.')
}

/** What the media tools need of our environment; nothing else of it is theirs to see. */
export function toolEnvironment(): Record<string, string> {
  const names = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'LD_LIBRARY_PATH']
  const pairs = names.map((name) => [name, process.env[name]] as const)
  const known = pairs.filter((pair): pair is readonly [string, string] => pair[1] !== undefined)
  return { PATH: '/usr/local/bin:/usr/bin:/bin', ...Object.fromEntries(known) }
}
