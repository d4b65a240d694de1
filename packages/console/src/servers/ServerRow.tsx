import type { Server } from '@trunkline/contract/servers/server.schema'
import { memo } from 'react'
import { ROW_FOCUS } from '../lib/row-keys.ts'
import { UNKNOWN } from '../shared/format.ts'
import { Age } from '../shared/state/Age.tsx'
import { ReadingAge } from '../shared/state/ReadingAge.tsx'
import { StateChip } from '../shared/state/StateChip.tsx'
import { IconButton } from '../ui/button/Button.tsx'
import { Hidden } from '../ui/Hidden.tsx'
import { Tip } from '../ui/hint/Tip.tsx'
import { Tag } from '../ui/symbol/Tag.tsx'
import { ButtonsCell, CellLine, NameButton, Row } from '../ui/table/Table.tsx'
import { type ShownServer, useServerState } from './server-state.hook.ts'
import { splitTitles } from './server-view.rules.ts'
import { useCheckServer, useIsBusy, useRemoveServer } from './server.actions.ts'
import { NO_AGENT, NOT_ENROLLED } from './server.messages.ts'
import classes from './ServerRow.module.css'

interface ServerRowProps {
  server: Server
  /** The same function at every drawing, so that a row's buttons are drawn once. */
  onEdit: (server: Server) => void
  onTimeline: (server: Server) => void
  /** Opens the test of a link from there. */
  onTest: (server: Server) => void
  /** Opens how its connection is secured. */
  onSecure: (server: Server) => void
}

export function ServerRow({ server, ...open }: ServerRowProps) {
  const shown = useServerState(server)
  const { isRemoved, isChecked } = useIsBusy(server)
  const { title } = server
  return (
    <Row family={shown.view.family} isBusy={isRemoved || isChecked}>
      <th scope="row" data-phone="1">
        <CellLine>
          <NameButton {...ROW_FOCUS} title={title} onClick={() => open.onEdit(server)}>
            {title}
          </NameButton>
          <Tag className={classes.type}>{server.serverType}</Tag>
        </CellLine>
      </th>
      <td title={server.host} data-phone="3-left">
        <code>
          {server.host}
          <span className={classes.phonePort}>:{server.port}</span>
        </code>
      </td>
      <td className={classes.port}>{server.port}</td>
      <td className={classes.groups} data-phone="3-right">
        <GroupTitles server={server} />
      </td>
      <td data-phone="2">
        <StatusCell shown={shown} />
      </td>
      <ButtonsCell>
        <RowButtons
          server={server}
          onEdit={open.onEdit}
          onTimeline={open.onTimeline}
          onTest={open.onTest}
          onSecure={open.onSecure}
          isRemoved={isRemoved}
          isChecked={isChecked}
        />
      </ButtonsCell>
    </Row>
  )
}

/** SRV-03. */
const GroupTitles = memo(function GroupTitles({ server }: { server: Server }) {
  const { shown, rest } = splitTitles(server.groupInfo.map((group) => group.title))
  if (shown.length === 0) return UNKNOWN
  const text = shown.join(', ')
  return (
    <CellLine>
      <span title={text}>{text}</span>
      {rest.length > 0 && (
        <Tip text={rest.join(', ')}>
          +{rest.length}
          <Hidden> more groups</Hidden>
        </Tip>
      )}
    </CellLine>
  )
})

function StatusCell({ shown: { view, sentence, askedAtMs } }: { shown: ShownServer }) {
  const chip = <StateChip view={view} />
  return (
    <CellLine data-f={view.family}>
      {sentence === '' ? chip : <Tip text={sentence}>{chip}</Tip>}
      <span className={classes.since}>
        {view.sinceMs !== null && (
          <>
            for <Age sinceMs={view.sinceMs} />
          </>
        )}
        {view.sinceMs === null && <ReadingAge cameAtMs={askedAtMs} />}
      </span>
    </CellLine>
  )
}

interface RowButtonsProps extends ServerRowProps {
  isRemoved: boolean
  isChecked: boolean
}

/** Apart from the row, which is drawn every second for the age of its state. */
const RowButtons = memo(function RowButtons(props: RowButtonsProps) {
  const { server, onEdit, onTimeline, onTest, onSecure, isRemoved, isChecked } = props
  const remove = useRemoveServer(server)
  const check = useCheckServer(server)
  const common = { tone: 'quiet', size: 28 } as const
  return (
    <>
      <IconButton
        {...common}
        icon="refresh"
        label={`Check ${server.title} now`}
        disabledReason={isChecked || isRemoved ? '' : null}
        onClick={check}
      />
      <IconButton
        {...common}
        icon="move"
        label={`Test a link from ${server.title}`}
        disabledReason={untestableReason(server.serverType, isRemoved)}
        onClick={() => onTest(server)}
      />
      <IconButton
        {...common}
        icon="history"
        label={`Timeline of ${server.title}`}
        onClick={() => onTimeline(server)}
      />
      <IconButton
        {...common}
        icon="lock"
        label={`Secure connection of ${server.title}`}
        disabledReason={unsecurableReason(server.serverType, isRemoved)}
        onClick={() => onSecure(server)}
      />
      <IconButton
        {...common}
        icon="pencil"
        label={`Edit ${server.title}`}
        disabledReason={isRemoved ? '' : null}
        onClick={() => onEdit(server)}
      />
      <IconButton
        {...common}
        icon="bin"
        label={`Delete ${server.title}`}
        disabledReason={isRemoved ? '' : null}
        onClick={() => void remove()}
      />
    </>
  )
})

/** '' while it is deleted. */
function untestableReason(serverType: Server['serverType'], isRemoved: boolean): string | null {
  if (isRemoved) return ''
  return serverType === 'channel' ? NO_AGENT : null
}

function unsecurableReason(serverType: Server['serverType'], isRemoved: boolean): string | null {
  if (isRemoved) return ''
  return serverType === 'channel' ? NOT_ENROLLED : null
}
