/** What is to stand on the wall: channels and encoders to tick, sixteen at most. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CHANNELS, channelsQuery } from '../channels/channel.queries.ts'
import { ENCODERS } from '../shared/choices/encoder.queries.ts'
import { useRole } from '../lib/session.ts'
import { CHOOSER_ROWS, useManyChoices } from '../shared/choices/choices.hook.ts'
import { seesAllChannels } from '../shared/choices/first-group.rules.ts'
import { GroupPicker } from '../shared/choices/GroupPicker.tsx'
import { Button } from '../ui/button/Button.tsx'
import { ChoiceList } from '../ui/choice/ChoiceList.tsx'
import { Dialog } from '../ui/dialog/Dialog.tsx'
import * as text from './wall.messages.ts'
import { idsOf, inOldOrder, MAX_TILES, tileKey, type TileKey } from './wall.rules.ts'
import classes from './WallPicker.module.css'

interface WallPickerProps {
  keys: readonly TileKey[]
  group: string
  onChoose: (keys: readonly TileKey[]) => void
  onClose: () => void
}

export function WallPicker({ keys, group, onChoose, onClose }: WallPickerProps) {
  const [chosen, setChosen] = useState(keys)
  const channels = useManyChoices(CHANNELS, idsOf('channel', keys), idsOf('channel', chosen))
  const encoders = useManyChoices(ENCODERS, idsOf('encoder', keys), idsOf('encoder', chosen))
  const pick = (kind: 'channel' | 'encoder') => (ids: readonly string[]) =>
    setChosen((now) =>
      inOldOrder(now, [
        ...now.filter((key) => !key.startsWith(`${kind}:`)),
        ...ids.map((id) => tileKey(kind, id)),
      ]),
    )
  const error = chosen.length > MAX_TILES ? text.tooMany(chosen.length) : ''
  return (
    <Dialog
      title="Choose tiles"
      subtitle={`${chosen.length} of ${MAX_TILES}`}
      width={720}
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button size={36} tone="quiet" onClick={onClose}>
            Close
          </Button>
          <Button
            size={36}
            tone="primary"
            disabledReason={error === '' ? null : error}
            onClick={() => {
              onChoose(chosen)
              onClose()
            }}
          >
            {`Show ${text.tilesText(chosen.length)}`}
          </Button>
        </>
      }
    >
      <GroupAdder
        first={group}
        onAdd={(ids) => setChosen((now) => inOldOrder(now, [...now, ...ids]))}
      />
      <div className={classes.lists}>
        <ChoiceList
          label="Channels"
          kind="many"
          choices={channels.rows.map(({ id, title, serverInfo }) => ({
            value: id,
            label: title,
            detail: serverInfo.title,
          }))}
          chosen={idsOf('channel', chosen)}
          onChange={pick('channel')}
          more={channels.more}
          onType={channels.onType}
          emptyText={emptyText('channels', channels)}
        />
        <ChoiceList
          label="Encoders"
          kind="many"
          choices={encoders.rows.map(({ _id, title, groupInfo }) => ({
            value: _id,
            label: title,
            detail: groupInfo.title,
          }))}
          chosen={idsOf('encoder', chosen)}
          onChange={pick('encoder')}
          more={encoders.more}
          onType={encoders.onType}
          emptyText={emptyText('encoders', encoders)}
        />
      </div>
      <p className={classes.error} role="alert">
        {error}
      </p>
    </Dialog>
  )
}

/** Why there is none to tick. */
function emptyText(
  of: 'channels' | 'encoders',
  { isRead, isError }: { isRead: boolean; isError: boolean },
): string {
  if (isError) return text.CHOICES_FAILED[of]
  return isRead ? text.NOTHING_TO_CHOOSE[of] : text.READING
}

interface GroupAdderProps {
  first: string
  onAdd: (keys: readonly TileKey[]) => void
}

function GroupAdder({ first, onAdd }: GroupAdderProps) {
  const [group, setGroup] = useState(first)
  const hasAll = seesAllChannels(useRole())
  const { data, isPlaceholderData } = useQuery(
    channelsQuery({
      serverId: '',
      groupId: group,
      searchValue: '',
      page: 0,
      rowsPerPage: CHOOSER_ROWS,
    }),
  )
  const total = data?.total ?? 0
  const channels = data?.data ?? []
  const isRead = data !== undefined && !isPlaceholderData
  return (
    <div className={classes.group}>
      <GroupPicker value={group} onChange={setGroup} hasAll={hasAll} />
      <Button
        data-autofocus
        disabledReason={isRead ? text.groupDisabledReason(channels.length, total) : ''}
        onClick={() => onAdd(channels.map(({ id }) => tileKey('channel', id)))}
      >
        {text.addAllText(total)}
      </Button>
    </div>
  )
}
