/** The table of inputs or of outputs. */
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { PagedTable } from '../shared/PagedTable.tsx'
import type { Paging } from '../shared/paging.hook.ts'
import { LIST_FAILED } from './contribution.messages.ts'
import type { Link, LinkKind } from './link.rules.ts'
import { LinkLogDialog } from './LinkLogDialog.tsx'
import classes from './LinkTable.module.css'
import { PAGE_SIZES } from './list-filter.hook.ts'

interface LinkTableProps<T> {
  kind: LinkKind
  answer: UseQueryResult
  rows: readonly T[] | undefined
  total: number
  paging: Paging
  /** Of the two columns that differ. */
  heads: readonly [string, string]
  empty: ReactNode
  rowOf: (row: T, onLog: (link: Link) => void) => ReactNode
}

export function LinkTable<T>(props: LinkTableProps<T>) {
  const { kind, heads, rowOf } = props
  const [logOf, setLogOf] = useState<Link | null>(null)
  return (
    <>
      <PagedTable
        label={kind === 'input' ? 'Inputs' : 'Outputs'}
        columns={[
          { head: 'Expand', isHeadHidden: true, className: classes.colExpand },
          { head: 'Status', className: classes.colStatus },
          { head: 'Name' },
          { head: heads[0], className: classes.colFirst },
          { head: heads[1], className: classes.colSecond },
          { head: 'Bitrate, kbps', className: classes.colBitrate, headClassName: classes.number },
          { head: 'Uptime', className: classes.colUptime },
          { head: 'Actions', className: classes.colActions, headClassName: classes.last },
        ]}
        answer={props.answer}
        rows={props.rows}
        total={props.total}
        paging={props.paging}
        sizes={PAGE_SIZES}
        rowHeight={36}
        failedText={LIST_FAILED[kind]}
        empty={props.empty}
        className={classes.table}
        rowOf={(row) => rowOf(row, setLogOf)}
      />
      {logOf !== null && <LinkLogDialog link={logOf} onClose={() => setLogOf(null)} />}
    </>
  )
}
