import type { ProgramStatus } from '@trunkline/contract/fleet/fleet.schema'
import { Tag } from '../../ui/symbol/Tag.tsx'

/** That a link does not run with its saved settings yet, and what they wait for. */
export function WaitTags({ status }: { status: ProgramStatus | null }) {
  return (
    <>
      {status?.waitsForRestart === true && <Tag tone="waits">restart to apply</Tag>}
      {status?.waitsForHost === true && <Tag tone="waits">waits for host</Tag>}
    </>
  )
}
