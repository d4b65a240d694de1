/** The inputs: what each receives, where, and from whom. */
import { useQuery } from '@tanstack/react-query'
import type { Input } from '@trunkline/contract/contributions/input.schema'
import { GroupPicker } from '../shared/GroupPicker.tsx'
import { UNKNOWN } from '../shared/format.ts'
import { Empty } from '../ui/Notice.tsx'
import { Select } from '../ui/Select.tsx'
import { inputServersQuery, inputsQuery } from './contribution.queries.ts'
import { linkOfInput } from './link.rules.ts'
import { LinkRow } from './LinkRow.tsx'
import { LinkTable } from './LinkTable.tsx'
import classes from './LinkTable.module.css'
import { LinkTools } from './LinkTools.tsx'
import type { InputFilter } from './list-filter.hook.ts'

export function InputTools({ filter }: { filter: InputFilter }) {
  const { data: servers = [] } = useQuery(inputServersQuery())
  const choices = servers.map((server) => ({ value: server._id, label: server.title }))
  const isKnown = filter.serverId === '' || choices.some(({ value }) => value === filter.serverId)
  return (
    <LinkTools kind="input" paging={filter}>
      <GroupPicker
        value={filter.groupId}
        onChange={filter.setGroupId}
        hasAll={filter.hasAllGroups}
      />
      <Select
        label="Server"
        isLabelShown
        choices={[
          { value: '', label: 'All servers' },
          ...choices,
          ...(isKnown ? [] : [{ value: filter.serverId, label: '…' }]),
        ]}
        value={filter.serverId}
        onChange={filter.setServerId}
      />
    </LinkTools>
  )
}

export function InputTable({ filter }: { filter: InputFilter }) {
  const answer = useQuery(inputsQuery(filter.list))
  return (
    <LinkTable
      kind="input"
      answer={answer}
      rows={answer.data?.contributions}
      total={answer.data?.total ?? 0}
      paging={filter}
      heads={['Server', 'Input Port']}
      empty={<NoInputs />}
      rowOf={(input, onLog) => (
        <LinkRow key={input.id} link={linkOfInput(input)} onLog={onLog}>
          <td className={classes.second}>{input.serverInfo.title}</td>
          <td className={classes.port}>{portOf(input)}</td>
        </LinkRow>
      )}
    />
  )
}

/** A Local input has no outer leg: the stream is on the server's network already (Q179). */
function portOf({ inputType, config }: Input) {
  if (inputType === 'Local') return UNKNOWN
  return (
    <>
      <span>{config.port}</span>
      <i>{config.mode}</i>
    </>
  )
}

function NoInputs() {
  return (
    <Empty title="No inputs here">
      An input receives a stream on one of your servers, from an encoder&apos;s feeder or from
      outside. There is none in this group and on this server.
    </Empty>
  )
}
