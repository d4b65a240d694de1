/** `trunkline-agent doctor`: what is missing or wrong on this host, and what puts it right. Changes nothing. */
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { AgentConfig, Seat } from '@trunkline/contract/agent/agent-config.schema'
import {
  reportOf,
  wrong,
  type Finding,
  type Report,
} from '@trunkline/contract/doctor/finding.rules'
import { ConfigRefused, DEFAULT_CONFIG, readConfig } from '../config.ts'
import { readDisk } from '../host/disk.ts'
import { adapters } from '../host/host.ts'
import { probeLocalBus } from '../host/local-bus.ts'
import { MOUNTS_FILE, readProcessView } from '../host/process-view.ts'
import { SourceLook } from '../host/source-look.ts'
import { inputDevices, outputOf } from '../host/tools.ts'
import { readConsole } from '../identity/console-file.ts'
import { identityFile, readIdentity, type Identity } from '../identity/identity-file.ts'
import { ownersOf } from '../identity/seat-identities.ts'
import { openLayout } from '../supervisor/layout.ts'
import { livingSupervisor } from '../supervisor/supervisor.process.ts'
import { askConsole, consoleFindings } from './console.check.ts'
import { dialFindings } from './dial.check.ts'
import {
  busFinding,
  diskFinding,
  folderFinding,
  processViewFindings,
  sourceFindings,
  supervisorFinding,
} from './host.check.ts'
import { portFindings, portUses } from './link-port.check.ts'
import {
  askSeat,
  certificateFindings,
  linkFinding,
  peersAt,
  readTcpTables,
  seatFinding,
} from './seat.check.ts'
import { findTools, toolFindings, type FoundTools } from './tool.check.ts'

const USAGE = `Usage: trunkline-agent doctor [--config ${DEFAULT_CONFIG}] [--console <address of the console>]`

/** Throws ConfigRefused for what is not used like that. */
export async function doctor(args: readonly string[]): Promise<Report> {
  const { config: file = DEFAULT_CONFIG, console: named } = readArgs(args)
  const tools = await findTools(outputOf)
  const findings = toolFindings(tools)
  findings.push(busFinding(await probeLocalBus()))
  findings.push(...processViewFindings(readProcessView(MOUNTS_FILE)))
  try {
    findings.push(...(await configuredFindings(readConfig(file), tools, named)))
  } catch (error) {
    if (!(error instanceof ConfigRefused)) throw error
    findings.push(wrong(error.message, `Correct ${file}; docs/operate/3-hosts.md describes it`))
  }
  return reportOf(findings)
}

function readArgs(args: readonly string[]) {
  const text = { type: 'string' } as const
  try {
    return parseArgs({ args: [...args], options: { config: text, console: text } }).values
  } catch {
    throw new ConfigRefused(USAGE)
  }
}

async function configuredFindings(
  config: AgentConfig,
  tools: FoundTools,
  named: string | undefined,
): Promise<Finding[]> {
  const { dataDir, sources } = config
  const hasFfmpeg = tools.versions['ffmpeg'] !== undefined
  const devices = hasFfmpeg ? await inputDevices(outputOf) : []
  const look = new SourceLook(sources, {
    hasFfmpeg,
    inputDevices: devices,
    fontFile: tools.fontFile,
  })
  await look.look()
  const origin = named ?? readConsole(dataDir)
  const asked =
    origin === null
      ? null
      : { origin, isNamed: named !== undefined, answer: await askConsole(origin) }
  return [
    folderFinding(dataDir),
    ...folderFindings(dataDir),
    ...(await seatFindings(config)),
    ...consoleFindings(asked, Date.now()),
    ...sourceFindings(look.list()),
  ]
}

/** Of what is in the data folder, once it is there. */
function folderFindings(dataDir: string): Finding[] {
  if (!existsSync(dataDir)) return []
  const supervisord = livingSupervisor(dataDir)
  return [
    diskFinding(readDisk(dataDir, false)),
    supervisorFinding(supervisord?.pid ?? null),
    ...portFindings(portUses(openLayout(dataDir))),
  ]
}

async function seatFindings(config: AgentConfig): Promise<Finding[]> {
  const addresses = adapters().map(({ ip }) => ip)
  const found = await Promise.all(
    ownersOf(config.seats).map(async ([seat, owner]) => {
      const peers = peersAt(seat.port, readTcpTables())
      const answer = await askSeat(seat)
      const identity = identityOf(config, owner)
      const dialTo = identity?.dialTo
      const isThere = answer.by === 'agent' && seat.kind !== 'channel' && dialTo === undefined
      return [
        seatFinding(seat, answer, addresses),
        ...(isThere ? [linkFinding(seat, peers)] : []),
        ...(identity !== null && dialTo !== undefined
          ? await dialFindings(seat, identity, dialTo)
          : []),
        ...identityFindings(config, seat, owner),
      ]
    }),
  )
  return found.flat()
}

/** null: it has none, or none that can be read, which is a finding of its own. */
function identityOf({ dataDir }: AgentConfig, owner: string): Identity | null {
  try {
    return readIdentity(identityFile(dataDir, owner))
  } catch {
    return null
  }
}

function identityFindings({ dataDir }: AgentConfig, seat: Seat, owner: string): Finding[] {
  return certificateFindings(seat, identityFile(dataDir, owner), Date.now())
}
