/** The host itself: data folder and disk, supervisord, local bus, sources, list of processes. */
import { accessSync, constants, existsSync } from 'node:fs'
import type { HostSource } from '@trunkline/contract/agent/capability.schema'
import type { HostHealth } from '@trunkline/contract/agent/host-health.schema'
import { note, ok, wrong, type Finding } from '@trunkline/contract/doctor/finding.rules'
import type { LocalBus } from '../host/local-bus.ts'

const GIGABYTE = 1e9

/** Also of a folder that is not there yet: the agent makes it. */
export function folderFinding(dataDir: string): Finding {
  if (!existsSync(dataDir)) {
    return note(
      `The data folder ${dataDir} is not there yet. The agent makes it at its first start.`,
    )
  }
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
    return ok(`The data folder ${dataDir} can be written.`)
  } catch {
    return wrong(
      `The data folder ${dataDir} cannot be written by this user.`,
      `chown -R trunkline-agent: ${dataDir}`,
    )
  }
}

export function diskFinding({ path, state, freeBytes, totalBytes }: HostHealth['disk']): Finding {
  const room = `${(freeBytes / GIGABYTE).toFixed(1)} of ${(totalBytes / GIGABYTE).toFixed(1)} GB`
  if (state === 'ok') return ok(`The disk of ${path} has ${room} free.`)
  const what = state === 'full' ? 'full' : 'nearly full'
  return wrong(
    `The disk of ${path} is ${what}: ${room} free.`,
    `Free some space: du -xh --max-depth=2 / | sort -h | tail`,
  )
}

/** `pid`: null when none runs. */
export function supervisorFinding(pid: number | null): Finding {
  if (pid !== null) return ok(`supervisord runs (process ${pid}).`)
  return wrong(
    'supervisord does not run: no program of this host can run.',
    'systemctl start trunkline-agent-programs; what it says: journalctl -u trunkline-agent-programs -n 20',
  )
}

export function busFinding({ works, reason }: LocalBus): Finding {
  if (works) return ok('Multicast on the loopback interface works.')
  return wrong(
    reason,
    'Is a firewall rule in the way of 239.0.0.0/8 on lo (nft list ruleset), or does the container forbid it?',
  )
}

export function sourceFindings(sources: readonly HostSource[]): Finding[] {
  return sources.map(({ cardIdx, label, unusable }) =>
    unusable === ''
      ? ok(`Source ${cardIdx} (${label}) can be used.`)
      : wrong(
          `Source ${cardIdx} (${label}) cannot be used: ${unusable}`,
          "Connect it, or correct it under sources in the agent's configuration",
        ),
  )
}

export function processViewFindings(isReadable: boolean): Finding[] {
  if (!isReadable) return []
  return [
    note(
      'Every user of this host can read the passphrases of its links in the list of processes.',
      'mount -o remount,hidepid=2 /proc, and the same in /etc/fstab',
    ),
  ]
}
