/** The inputs: what each receives, where, and from whom. */
import type { Input } from '@trunkline/contract/contributions/input.schema'
import { usePageQuery } from '../../shared/page/page-query.hook.ts'
import { AddButton, AddFirst } from '../../shared/list/AddButton.tsx'
import { useChoices } from '../../shared/choices/choices.hook.ts'
import { GroupPicker } from '../../shared/choices/GroupPicker.tsx'
import { UNKNOWN } from '../../shared/format.ts'
import { LaterDialog } from '../../shared/page/Later.tsx'
import { GATEWAYS } from '../../shared/choices/server.queries.ts'
import { Empty } from '../../ui/notice/Notice.tsx'
import { Select } from '../../ui/choice/Select.tsx'
import { inputsQuery, matchingInputs } from '../contribution.queries.ts'
import { LinkTable } from '../list/LinkTable.tsx'
import classes from '../list/LinkTable.module.css'
import { LinkTools } from '../list/LinkTools.tsx'
import type { InputFilter } from '../list/list-filter.hook.ts'
import { CHOOSE_ON_PAGES, MODE_WORDS } from '../contribution.messages.ts'
import { ADD_INPUT, CHANGE_SERVER } from '../parts.loader.ts'

const ADD = {
  label: 'Add Input',
  dialogOf: (onClose: () => void) => <LaterDialog part={ADD_INPUT} props={{ onClose }} />,
}

export function InputTools({ filter }: { filter: InputFilter }) {
  const { rows, chosen, more, onType } = useChoices(GATEWAYS, filter.serverId)
  const isKnown = filter.serverId === '' || chosen !== null
  return (
    <LinkTools kind="input" paging={filter} add={<AddButton {...ADD} />}>
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
          ...rows.map(({ _id, title }) => ({ value: _id, label: title })),
          ...(isKnown ? [] : [{ value: filter.serverId, label: '…' }]),
        ]}
        more={more}
        onType={onType}
        value={filter.serverId}
        onChange={filter.setServerId}
      />
    </LinkTools>
  )
}

interface InputTableProps {
  filter: InputFilter
  onShowOutputs: (inputId: string) => void
}

export function InputTable({ filter, onShowOutputs }: InputTableProps) {
  const answer = usePageQuery(inputsQuery(filter.list))
  return (
    <LinkTable
      kind="input"
      answer={answer}
      rows={answer.data?.contributions}
      filter={filter}
      askAll={async () => matchingInputs(filter.list)}
      heads={['Server', 'Input Port']}
      cellsOf={(input) => (
        <>
          <td className={classes.second} title={input.serverInfo.title} data-phone="2">
            {input.serverInfo.title}
          </td>
          <td className={classes.port} data-phone="2-end">
            {portOf(input)}
          </td>
        </>
      )}
      empty={<NoInputs />}
      change={{
        label: 'Change server',
        disabledReason: ({ rows, ids }) => (rows.length < ids.length ? CHOOSE_ON_PAGES : null),
        dialogOf: ({ rows, onClose }) => (
          <LaterDialog part={CHANGE_SERVER} props={{ inputs: rows, onClose }} />
        ),
      }}
      onShowOutputs={onShowOutputs}
    />
  )
}

/** A Local input has no outer leg: the stream is on the server's network already (Q179). */
function portOf({ inputType, config }: Input) {
  if (inputType === 'Local') return UNKNOWN
  return (
    <>
      <span>{config.port}</span>
      <i>{MODE_WORDS[config.mode]}</i>
    </>
  )
}

function NoInputs() {
  return (
    <Empty title="No inputs here" action={<AddFirst {...ADD} />}>
      An input receives a stream on one of your servers, from an encoder&apos;s feeder or from
      outside. There is none in this group and on this server.
    </Empty>
  )
}
