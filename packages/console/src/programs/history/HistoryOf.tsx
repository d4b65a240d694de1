/**
 * Around the rows of a table of links, or the cards of encoders: within it `useLinkSamples` fills each sparkline with what the
 * API kept, so that a page is full at its opening. Rows that are drawn together are asked for in one
 * call, so it may stand around a table of any length, rows drawn as they scroll into sight included.
 */
import type { ReactNode } from 'react'
import type { ProgramKind } from '@trunkline/contract/fleet/fleet.schema'
import { KeptHistory } from './link-samples.hook.ts'

interface HistoryOfProps {
  /** Of what is within. */
  kind: ProgramKind
  children: ReactNode
}

export function HistoryOf({ kind, children }: HistoryOfProps) {
  return <KeptHistory value={kind}>{children}</KeptHistory>
}
