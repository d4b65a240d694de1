/** The inputs: what each receives, where, and from whom. */
import { useQuery } from '@tanstack/react-query'
import type { Input } from '@trunkline/contract/contributions/input.schema'
import { useState } from 'react'
import { useShortcut } from '../../lib/shortcuts.ts'
import { useChoices } from '../../shared/choices/choices.hook.ts'
import { GroupPicker } from '../../shared/choices/GroupPicker.tsx'
import { UNKNOWN } from '../../shared/format.ts'
import { GATEWAYS } from '../../shared/choices/server.queries.ts'
import { Button } from '../../ui/button/Button.tsx'
import { Empty } from '../../ui/notice/Notice.tsx'
import { Select } from '../../ui/choice/Select.tsx'
import { AddInputDialog } from '../add/AddLinkDialogs.tsx'
import { useBulkResult } from '../bulk/bulk-result.hook.ts'
import { BulkResultDialog } from '../bulk/BulkResultDialog.tsx'
import { ChangeServerDialog } from './ChangeServerDialog.tsx'
import { inputsQuery } from '../contribution.queries.ts'
import { linkOfInput } from '../link.rules.ts'
import { LinkBulkBar } from '../bulk/LinkBulkBar.tsx'
import { LinkRow } from '../list/LinkRow.tsx'
import { LinkTable } from '../list/LinkTable.tsx'
import classes from '../list/LinkTable.module.css'
import { LinkTools } from '../list/LinkTools.tsx'
import type { InputFilter } from '../list/list-filter.hook.ts'
import { useSelection } from '../list/selection.hook.ts'

export function InputTools({ filter }: { filter: InputFilter }) {
  const { rows, chosen, more, onType } = useChoices(GATEWAYS, filter.serverId)
  const isKnown = filter.serverId === '' || chosen !== null
  return (
    <LinkTools kind="input" paging={filter} add={<AddInput />}>
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

function AddInput() {
  const [isOpen, setOpen] = useState(false)
  useShortcut('n', () => setOpen(true))
  return (
    <>
      <Button tone="primary" icon="plus" onClick={() => setOpen(true)}>
        Add Input
      </Button>
      {isOpen && <AddInputDialog onClose={() => setOpen(false)} />}
    </>
  )
}

interface InputTableProps {
  filter: InputFilter
  onShowOutputs: (inputId: string) => void
}

export function InputTable({ filter, onShowOutputs }: InputTableProps) {
  const answer = useQuery(inputsQuery(filter.list))
  const rows = answer.data?.contributions
  const selection = useSelection(rows)
  const { result, closeResult, tell } = useBulkResult('input', onShowOutputs)
  const [isMoving, setMoving] = useState(false)
  return (
    <>
      <LinkTable
        kind="input"
        answer={answer}
        rows={rows}
        total={answer.data?.total ?? 0}
        paging={filter}
        selection={selection}
        heads={['Server', 'Input Port']}
        empty={<NoInputs />}
        bar={
          selection.rows.length > 0 && (
            <LinkBulkBar
              kind="input"
              links={selection.rows.map(linkOfInput)}
              elsewhere={selection.elsewhere}
              change={{ label: 'Change server', icon: 'move', open: () => setMoving(true) }}
              tell={tell}
              onGone={selection.drop}
              onClear={selection.clear}
            />
          )
        }
        rowOf={(input, place) => (
          <LinkRow
            key={input.id}
            link={linkOfInput(input)}
            place={place}
            onShowOutputs={onShowOutputs}
          >
            <td className={classes.second} title={input.serverInfo.title} data-phone="2">
              {input.serverInfo.title}
            </td>
            <td className={classes.port} data-phone="2-end">
              {portOf(input)}
            </td>
          </LinkRow>
        )}
      />
      {isMoving && <ChangeServerDialog inputs={selection.rows} onClose={() => setMoving(false)} />}
      {result !== null && <BulkResultDialog result={result} onClose={closeResult} />}
    </>
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
