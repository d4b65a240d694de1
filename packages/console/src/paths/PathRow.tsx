/** A path of the list: where it begins, its hops on a line, and why it needs attention. */
import { Link } from '@tanstack/react-router'
import { needsAttention } from '@trunkline/contract/fleet/state-view.rules'
import { PathKind } from '@trunkline/contract/paths/path.calls'
import type { SignalPath } from '@trunkline/contract/paths/path.schema'
import { Fragment, useId, useState } from 'react'
import { RowExpander } from '../shared/list/RowExpander.tsx'
import { OnAirTag } from '../shared/on-air/OnAirTag.tsx'
import { Tag } from '../ui/symbol/Tag.tsx'
import { CellLine, ControlCell, DetailRow, Row } from '../ui/table/Table.tsx'
import { KIND_WORDS, PATH } from './path.messages.ts'
import { PathLine } from './PathLine.tsx'
import { useLivePath, type LiveHop } from './signal-path.hook.ts'
import { SignalPathView } from './SignalPathView.tsx'
import classes from './PathLine.module.css'

export const PATH_COLUMNS = [
  { head: 'Expand', isHeadHidden: true, width: 50 },
  { head: 'Begins with', width: [260, 200] },
  { head: PATH },
] as const

export function PathRow({ path: read }: { path: SignalPath }) {
  const [isOpen, setOpen] = useState(false)
  const detailId = useId()
  const path = useLivePath(read)
  const self = [...path.hops.values()].find(isSelf)
  if (self === undefined) return null
  const { verdict } = path
  const isTrouble = needsAttention(verdict.family)
  const family = isTrouble ? verdict.family : undefined
  return (
    <Fragment>
      <Row family={family} isOpen={isOpen}>
        <ControlCell>
          <RowExpander
            of={`the path of ${self.title}`}
            isOpen={isOpen}
            detailId={detailId}
            onChange={setOpen}
          />
        </ControlCell>
        <th scope="row" data-phone="1">
          <CellLine>
            <Begin hop={self} />
            <Tag>{KIND_WORDS[self.kind]}</Tag>
          </CellLine>
        </th>
        <td data-phone="2-wide">
          <div className={classes.path}>
            <PathLine path={path} label={`Hops of ${self.title}`} />
            {isTrouble && !isOpen && <p className={classes.verdict}>{verdict.text}</p>}
          </div>
        </td>
      </Row>
      {isOpen && (
        <DetailRow id={detailId} columns={PATH_COLUMNS.length} family={family}>
          <div className={classes.detail}>
            <SignalPathView path={path} layout="row" />
          </div>
        </DetailRow>
      )}
    </Fragment>
  )
}

type ShownHop = Extract<LiveHop, { isShown: true }>

function isSelf(hop: LiveHop): hop is ShownHop {
  return hop.isShown && hop.side === 'self'
}

/** Opens the page of this path. */
function Begin({ hop: { kind, id, title } }: { hop: ShownHop }) {
  const known = PathKind.safeParse(kind)
  if (!known.success) return title
  return (
    <>
      <Link
        to="/dashboard/path/$kind/$id"
        params={{ kind: known.data, id }}
        preload={false}
        title={title}
      >
        {title}
      </Link>
      <OnAirTag kind={known.data} id={id} />
    </>
  )
}
