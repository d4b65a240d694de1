/**
 * After a change of thresholds: whatever has a figure that may count otherwise now is published again,
 * as if its host had just reported it, to everybody who follows states.
 */
import { diskStepOf } from '@trunkline/contract/alarms/threshold.rules'
import type { AlarmRule } from '@trunkline/contract/alarms/open-alarms.schema'
import type { Hosts } from '../hosts/hosts.ts'
import { eachInSlices } from '../in-slices.ts'

/** Of one rule: figures between these may count otherwise than before, in percent. */
export interface ThresholdChange {
  rule: AlarmRule
  lowest: number
  highest: number
}

export async function judgeAgain(
  hosts: Pick<Hosts, 'programsWithFindings' | 'records' | 'health' | 'publish'>,
  changed: readonly ThresholdChange[],
): Promise<void> {
  for (const { rule, lowest, highest } of changed) {
    if (rule !== 'disk-full') continue
    await eachInSlices(hosts.records(), ({ address }) => {
      const disk = hosts.health(address)?.disk
      const step = disk === undefined ? null : diskStepOf(disk)
      // Passed already at the lowest threshold, it counts as before by any of them.
      if (step !== null && step > lowest && step <= highest)
        hosts.publish({ type: 'host', address })
    })
  }
  const figures = changed.filter(({ rule }) => rule !== 'disk-full')
  const programIds = [...hosts.programsWithFindings()]
    .filter(({ findings }) =>
      findings.some(({ step }) =>
        figures.some(({ lowest, highest }) => step !== null && step >= lowest && step <= highest),
      ),
    )
    .map(({ programId }) => programId)
  await eachInSlices(programIds, (programId) =>
    hosts.publish({ type: 'programs', programIds: [programId] }),
  )
}
