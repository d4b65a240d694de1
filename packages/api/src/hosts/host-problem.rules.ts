/** What is wrong with a host that answers, in an operator's words. */
import { isDiskLow } from '@trunkline/contract/alarms/threshold.rules'
import type { HostHealth } from '@trunkline/contract/agent/host-health.schema'
import type { HostProblem } from '@trunkline/contract/fleet/fleet.schema'

/** A broken host must not fill our memory. */
const MAX_PATH_CHARACTERS = 300

export function keptHealth(health: HostHealth): HostHealth {
  return {
    ...health,
    disk: { ...health.disk, path: health.disk.path.slice(0, MAX_PATH_CHARACTERS) },
  }
}

const SUPERVISOR_SILENT: HostProblem = {
  kind: 'supervisor-silent',
  sentence:
    'The supervisor of this host (supervisord) does not answer. Streams run on, but nothing can be started or stopped there, and a program that ends is not started again. Check whether supervisord is stopped or the host is overloaded.',
}

const SUPERVISOR_LOST: HostProblem = {
  kind: 'supervisor-lost',
  sentence:
    'The supervisor of this host (supervisord) ended, and its programs with it. The agent starts it and them again. If that fails, read the log of the agent on this host.',
}

const COMMAND_LINES_READABLE: HostProblem = {
  kind: 'command-lines-readable',
  sentence:
    'Every user of this host can read the passphrases of its links in the list of processes, because the media tools take them as arguments. Streams are not affected. Mount /proc with hidepid=2 there, as the manual of hosts says.',
}

function diskUnreadable(path: string): HostProblem {
  return {
    kind: 'disk-unreadable',
    sentence: `The disk of this host cannot be read: ${path}. Running streams go on, changed settings are refused and logs are lost. Check that its disk is mounted and works. If the folder was deleted, restart the agent of this host.`,
  }
}

/**
 * Undefined for a host that is well. A notice comes after what disturbs programs. `diskThreshold`: of
 * the alarm rule, in percent of free space.
 */
export function problemOf(health: HostHealth, diskThreshold: number): HostProblem | undefined {
  const [first] = disturbancesOf(health, diskThreshold)
  return first ?? (health.commandLinesReadable === true ? COMMAND_LINES_READABLE : undefined)
}

/** What disturbs programs, the worst first. `diskThreshold` as above. */
export function disturbancesOf(health: HostHealth, diskThreshold: number): HostProblem[] {
  const { disk, supervisorSilent, supervisorLost } = health
  const ofDisk = diskProblemOf(disk, diskThreshold)
  return [
    ...(supervisorSilent === true ? [SUPERVISOR_SILENT] : []),
    ...(supervisorLost === true ? [SUPERVISOR_LOST] : []),
    ...(ofDisk === undefined ? [] : [ofDisk]),
  ]
}

/** A disk that cannot be written is full by any threshold. */
function diskProblemOf(disk: HostHealth['disk'], diskThreshold: number): HostProblem | undefined {
  if (disk.unreadable === true) return diskUnreadable(disk.path)
  const room = `${disk.path} has ${sizeText(disk.freeBytes)} free of ${sizeText(disk.totalBytes)}`
  if (disk.state === 'full') {
    return {
      kind: 'disk-full',
      sentence: `The disk of this host is full: ${room}. Programs can be started and stopped, changed settings are not applied and logs are lost. Free some space.`,
    }
  }
  if (!isDiskLow(disk, diskThreshold)) return undefined
  return {
    kind: 'disk-low',
    sentence: `The disk of this host is nearly full: ${room}. Free some space before it is full.`,
  }
}

/** Whether settings that the host refused may be sent again: neither its disk nor its supervisor refuses them. */
export function canTakeChanges(health: HostHealth | null): boolean {
  if (health === null) return true
  const { disk, supervisorSilent, supervisorLost } = health
  // What its supervisor lost the agent itself starts again.
  if (supervisorSilent === true || supervisorLost === true) return false
  return disk.unreadable !== true && disk.state !== 'full'
}

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB']

/** '0 bytes', '340 MB', '1.2 GB'. */
function sizeText(bytes: number): string {
  let [size, unit] = [Math.max(0, bytes), 0]
  while (size >= 1000 && unit < UNITS.length - 1) [size, unit] = [size / 1000, unit + 1]
  return `${size < 10 && unit > 0 ? size.toFixed(1) : Math.round(size)} ${UNITS[unit]}`
}
