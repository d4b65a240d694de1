/** What is to stand on the wall: channels and encoders to tick, sixteen at most. */
import { useQuery } from '@tanstack/react-query'
import type { Channel } from '@trunkline/contract/channels/channel.schema'
import { useState } from 'react'
import { encodersQuery } from '../encoders/encoder.queries.ts'
import { useRole } from '../lib/session.ts'
import { seesAllChannels } from '../shared/choices/first-group.rules.ts'
import { GroupPicker } from '../shared/choices/GroupPicker.tsx'
import { Button } from '../ui/button/Button.tsx'
import { ChoiceList } from '../ui/choice/ChoiceList.tsx'
import { Dialog } from '../ui/dialog/Dialog.tsx'
import * as text from './wall.messages.ts'
import { idsOf, inOldOrder, MAX_TILES, tileKey, type TileKey } from './wall.rules.ts'
import classes from './WallPicker.module.css'

interface WallPickerProps {
  /** All that this user may see. */
  channels: readonly Channel[]
  keys: readonly TileKey[]
  group: string
  onChoose: (keys: readonly TileKey[]) => void
  onClose: () => void
}

const ALL_ENCODERS = { page: 0, rows: 0, search: '', group: '' }

export function WallPicker({ channels, keys, group, onChoose, onClose }: WallPickerProps) {
  const [chosen, setChosen] = useState(keys)
  const encoders = useQuery(encodersQuery(ALL_ENCODERS))
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
        channels={channels}
        onAdd={(ids) => setChosen((now) => inOldOrder(now, [...now, ...ids]))}
      />
      <div className={classes.lists}>
        <ChoiceList
          label="Channels"
          kind="many"
          choices={channels.map(({ id, title, serverInfo }) => ({
            value: id,
            label: title,
            detail: serverInfo.title,
          }))}
          chosen={idsOf('channel', chosen)}
          onChange={pick('channel')}
          emptyText={text.NOTHING_TO_CHOOSE.channels}
        />
        <ChoiceList
          label="Encoders"
          kind="many"
          choices={(encoders.data?.result ?? []).map(({ _id, title, groupInfo }) => ({
            value: _id,
            label: title,
            detail: groupInfo.title,
          }))}
          chosen={idsOf('encoder', chosen)}
          onChange={pick('encoder')}
          emptyText={noEncodersText(encoders)}
        />
      </div>
      <p className={classes.error} role="alert">
        {error}
      </p>
    </Dialog>
  )
}

/** Why there is none to tick. */
function noEncodersText({ isPending, isError }: { isPending: boolean; isError: boolean }): string {
  if (isPending) return text.READING
  return isError ? text.ENCODERS_FAILED : text.NOTHING_TO_CHOOSE.encoders
}

interface GroupAdderProps {
  first: string
  channels: readonly Channel[]
  onAdd: (keys: readonly TileKey[]) => void
}

function GroupAdder({ first, channels, onAdd }: GroupAdderProps) {
  const [group, setGroup] = useState(first)
  const hasAll = seesAllChannels(useRole())
  const ids = channels
    .filter(({ groupIds }) => group === '' || groupIds.includes(group))
    .map(({ id }) => tileKey('channel', id))
  return (
    <div className={classes.group}>
      <GroupPicker value={group} onChange={setGroup} hasAll={hasAll} />
      <Button
        disabledReason={ids.length === 0 ? text.NO_CHANNEL_IN_GROUP : null}
        onClick={() => onAdd(ids)}
      >
        {`Add all ${ids.length} channels of the group`}
      </Button>
    </div>
  )
}
