import type { Server } from '@trunkline/contract/servers/server.schema'
import { memo } from 'react'
import { ROW_FOCUS } from '../lib/row-keys.ts'
import { Age } from '../shared/Age.tsx'
import { UNKNOWN } from '../shared/format.ts'
import { ReadingAge } from '../shared/ReadingAge.tsx'
import { StateChip } from '../shared/StateChip.tsx'
import { IconButton } from '../ui/Button.tsx'
import { Hidden } from '../ui/Hidden.tsx'
import { Row } from '../ui/Table.tsx'
import { Tip } from '../ui/Tip.tsx'
import { useCheckServer, useIsBusy, useRemoveServer } from './server.actions.ts'
import { type ShownServer, useServerState } from './server-state.hook.ts'
import { splitTitles } from './server-view.rules.ts'
import classes from './ServerRow.module.css'

interface ServerRowProps {
  server: Server
  /** The same function at every drawing, so that a row's buttons are drawn once. */
  onEdit: (server: Server) => void
}

export function ServerRow({ server, onEdit }: ServerRowProps) {
  const shown = useServerState(server)
  const { isRemoved, isChecked } = useIsBusy(server)
  const { title } = server
  return (
    <Row family={shown.view.family} isBusy={isRemoved || isChecked} className={classes.row}>
      <th scope="row" className={classes.title}>
        <div className={classes.line}>
          <button type="button" {...ROW_FOCUS} title={title} onClick={() => onEdit(server)}>
            {title}
          </button>
          <span className={classes.tag}>{server.serverType}</span>
        </div>
      </th>
      <td className={classes.host} title={server.host}>
        {server.host}
        <span className={classes.phonePort}>:{server.port}</span>
      </td>
      <td className={classes.port}>{server.port}</td>
      <td className={classes.groups}>
        <GroupTitles server={server} />
      </td>
      <td className={classes.status}>
        <StatusCell shown={shown} />
      </td>
      <td className={classes.actions}>
        <RowButtons server={server} onEdit={onEdit} isRemoved={isRemoved} isChecked={isChecked} />
      </td>
    </Row>
  )
}

/** SRV-03. */
const GroupTitles = memo(function GroupTitles({ server }: { server: Server }) {
  const { shown, rest } = splitTitles(server.groupInfo.map((group) => group.title))
  if (shown.length === 0) return UNKNOWN
  const text = shown.join(', ')
  return (
    <div className={classes.line}>
      <span className={classes.text} title={text}>
        {text}
      </span>
      {rest.length > 0 && (
        <Tip text={rest.join(', ')}>
          +{rest.length}
          <Hidden> more groups</Hidden>
        </Tip>
      )}
    </div>
  )
})

function StatusCell({ shown: { view, sentence, askedAtMs } }: { shown: ShownServer }) {
  const chip = <StateChip view={view} />
  return (
    <div className={classes.line} data-f={view.family}>
      {sentence === '' ? chip : <Tip text={sentence}>{chip}</Tip>}
      <span className={classes.since}>
        {view.sinceMs !== null && (
          <>
            for <Age sinceMs={view.sinceMs} />
          </>
        )}
        {view.sinceMs === null && <ReadingAge cameAtMs={askedAtMs} />}
      </span>
    </div>
  )
}

interface RowButtonsProps extends ServerRowProps {
  isRemoved: boolean
  isChecked: boolean
}

/** Apart from the row, which is drawn every second for the age of its state. */
const RowButtons = memo(function RowButtons(props: RowButtonsProps) {
  const { server, onEdit, isRemoved, isChecked } = props
  const remove = useRemoveServer(server)
  const check = useCheckServer(server)
  const common = { tone: 'quiet', size: 28 } as const
  return (
    <div className={classes.buttons}>
      <IconButton
        {...common}
        icon="refresh"
        label={`Check ${server.title} now`}
        disabledReason={isChecked || isRemoved ? '' : null}
        onClick={check}
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
    </div>
  )
})
