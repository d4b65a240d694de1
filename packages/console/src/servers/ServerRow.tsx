import type { Server } from '@trunkline/contract/servers/server.schema'
import { memo } from 'react'
import { ROW_FOCUS } from '../lib/row-keys.ts'
import { UNKNOWN } from '../shared/format.ts'
import { Age } from '../shared/state/Age.tsx'
import { ReadingAge } from '../shared/state/ReadingAge.tsx'
import { StateChip } from '../shared/state/StateChip.tsx'
import { RowButton } from '../ui/button/RowButton.tsx'
import { Hidden } from '../ui/Hidden.tsx'
import { Tip } from '../ui/hint/Tip.tsx'
import { Tag } from '../ui/symbol/Tag.tsx'
import { ButtonsCell, CellLine, NameButton, Row } from '../ui/table/Table.tsx'
import { type ShownServer, useServerState } from './server-state.hook.ts'
import { splitTitles } from './server-view.rules.ts'
import { type ServerDialogs, useServerMenu } from './server-menu.hook.ts'
import { useIsBusy } from './server.actions.ts'
import classes from './ServerRow.module.css'

interface ServerRowProps extends ServerDialogs {
  server: Server
}

export function ServerRow({ server, ...open }: ServerRowProps) {
  const shown = useServerState(server)
  const { isRemoved, isChecked } = useIsBusy(server)
  const { title } = server
  return (
    <Row family={shown.view.family} isBusy={isRemoved || isChecked}>
      <th scope="row" data-phone="1-left">
        <CellLine>
          <NameButton {...ROW_FOCUS} title={title} onClick={() => open.onEdit(server)}>
            {title}
          </NameButton>
          <Tag className={classes.type}>{server.serverType}</Tag>
        </CellLine>
      </th>
      <td title={server.host} data-phone="1-right">
        <code>
          {server.host}
          <span className={classes.phonePort}>:{server.port}</span>
        </code>
      </td>
      <td className={classes.port}>{server.port}</td>
      <td className={classes.groups}>
        <GroupTitles server={server} />
      </td>
      <td data-phone="2-wide">
        <StatusCell shown={shown} />
      </td>
      <ButtonsCell data-phone="3-wide">
        <RowButtons
          server={server}
          onEdit={open.onEdit}
          onTimeline={open.onTimeline}
          onTest={open.onTest}
          onSecure={open.onSecure}
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

/** Apart from the row, which is drawn every second for the age of its state. */
const RowButtons = memo(function RowButtons({ server, ...open }: ServerRowProps) {
  return useServerMenu(server, open).map((action) => (
    <RowButton key={action.icon} action={action} />
  ))
})
