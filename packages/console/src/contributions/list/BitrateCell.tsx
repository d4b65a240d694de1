/** What a link carries now, and its last minutes as a line. */
import { useLinkSamples } from '../../programs/history/link-samples.hook.ts'
import { numberText, UNKNOWN } from '../../shared/format.ts'
import { Sparkline } from '../../programs/tiles/Sparkline.tsx'
import { CellLine } from '../../ui/table/Table.tsx'
import type { Link } from '../link.rules.ts'
import type { ProgramView } from '../../programs/status/program-view.hook.ts'
import classes from './LinkRow.module.css'

/** Zero is measured zero; what was measured before the sight was lost stays, dimmed. */
export function BitrateCell({ link, shown: { view, reading, status, nowMs } }: CellProps) {
  const samples = useLinkSamples(link.kind, link.id)
  const isOld = view.family === 'blind'
  const isMeasured = reading !== null && (isOld || status?.state === 'running')
  if (!isMeasured && samples.length === 0) {
    return (
      <CellLine>
        <b data-old>{UNKNOWN}</b>
        <span className={classes.nothing} />
      </CellLine>
    )
  }
  return (
    <CellLine>
      <b data-old={isOld || !isMeasured || undefined}>
        {numberText(isMeasured ? reading.bitrateKbps : null)}
      </b>
      <span className={classes.chart}>
        <Sparkline samples={samples} nowMs={nowMs} targetKbps={null} family={view.family} />
      </span>
    </CellLine>
  )
}

interface CellProps {
  link: Link
  shown: ProgramView
}
