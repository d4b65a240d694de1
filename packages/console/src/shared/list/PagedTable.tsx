/** A table that the API pages: its head, its rows, what stands there when there is none, and the pager. */
import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect, useRef, type ReactNode } from 'react'
import { later, usePreload } from '../../lib/later.ts'
import { useRowKeys } from '../../lib/row-keys.ts'
import { Button } from '../../ui/button/Button.tsx'
import { Empty } from '../../ui/notice/Notice.tsx'
import { Pager } from '../../ui/table/Pager.tsx'
import { type Column, DetailRow, TableFrame } from '../../ui/table/Table.tsx'
import { ColumnsMenu } from './ColumnsMenu.tsx'
import { ListState } from './ListState.tsx'
import { LaterPart } from '../page/Later.tsx'
import type { Paging } from './paging.hook.ts'
import classes from './PagedTable.module.css'

interface PagedTableProps<T> {
  /** Names the table: 'Users'. */
  label: string
  columns: readonly Column[]
  answer: UseQueryResult
  /** Of the present page; undefined while none came. */
  rows: readonly T[] | undefined
  /** Of all pages. */
  total: number
  paging: Paging
  sizes: readonly number[]
  /** In pixels, of the skeleton too. */
  rowHeight: number
  /** 'The list of users could not be read.' */
  failedText: string
  /** What this list is, when there is nothing in it. */
  empty: ReactNode
  /** Left of the pager; what one should know of this table. */
  foot?: string
  /** Left of the pager, in place of `foot`: what can be done with the rows that are selected. */
  bar?: ReactNode
  /** In place of `bar`, beside the choice of columns: what can be done with the rows that are shown. */
  tool?: ReactNode
  /** One `Row` with its key. Its focusable control carries ROW_FOCUS. */
  rowOf: (row: T) => ReactNode
  /** Of a list that can do without pages: of thousands of rows only those in sight are drawn. */
  keyOf?: (row: T) => string
}

/** More rows than the largest page has. */
const LONG_FROM_ROWS = 100

const LONG_ROWS = later('rows', async () => (await import('./LongRows.tsx')).LongRows)
const LONG_PARTS = [LONG_ROWS]

export function PagedTable<T>(props: PagedTableProps<T>) {
  const { answer, rows, rowOf, rowHeight, total, paging } = props
  const keyOf = rows !== undefined && rows.length > LONG_FROM_ROWS ? props.keyOf : undefined
  const table = useRef<HTMLTableElement>(null)
  useRowKeys(table)
  useLastPage(rows, total, paging)
  usePreload(paging.rowsPerPage === 0, LONG_PARTS)
  return (
    <>
      {rows !== undefined && rows.length > 0 && (
        <TableFrame
          label={props.label}
          columns={props.columns}
          rowHeight={rowHeight}
          sorting={{ sort: paging.sort, onSort: paging.setSort }}
          hidden={paging.hidden ?? undefined}
          tableRef={table}
          rowCount={keyOf && total + 1}
        >
          {keyOf === undefined ? (
            <tbody>{rows.map((row) => rowOf(row))}</tbody>
          ) : (
            <LaterPart
              part={LONG_ROWS}
              props={{ rows, keyOf, rowOf, rowHeight }}
              waiting={<tbody />}
              failedIn={(words) => (
                <tbody>
                  <DetailRow columns={props.columns.length}>{words}</DetailRow>
                </tbody>
              )}
            />
          )}
        </TableFrame>
      )}
      <ListState
        rows={rows}
        answer={answer}
        rowHeight={rowHeight}
        failedText={props.failedText}
        empty={
          paging.search === '' ? (
            props.empty
          ) : (
            <Empty
              title={`Nothing matches '${paging.search}'`}
              action={<Button onClick={paging.clearSearch}>Clear</Button>}
            />
          )
        }
      />
      {(total > 0 || Boolean(props.bar)) && (
        <div className={classes.foot} data-bar={Boolean(props.bar || props.tool) || undefined}>
          {props.bar ?? props.tool}
          {!props.bar && paging.hidden !== null && (
            <ColumnsMenu
              label={props.label}
              columns={props.columns}
              hidden={paging.hidden}
              onHide={paging.setHidden}
            />
          )}
          {props.foot !== undefined && !props.bar && <p>{props.foot}</p>}
          <Pager
            page={paging.page}
            rowsPerPage={paging.rowsPerPage}
            sizes={props.sizes}
            total={total}
            onPage={paging.setPage}
            onRowsPerPage={paging.setRowsPerPage}
          />
        </div>
      )}
    </>
  )
}

/** A page that has emptied under the operator's hands gives way to the last one that has rows. */
function useLastPage(rows: readonly unknown[] | undefined, total: number, paging: Paging): void {
  const { page, rowsPerPage, leavePage } = paging
  const last = rowsPerPage === 0 ? 0 : Math.max(0, Math.ceil(total / rowsPerPage) - 1)
  const isBeyond = rows !== undefined && total > 0 && page > last
  useEffect(() => {
    if (isBeyond) leavePage(last)
  }, [isBeyond, last, leavePage])
}
