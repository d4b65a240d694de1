/** The outputs: which input each repeats, and to whom. */
import { usePageQuery } from '../../shared/page/page-query.hook.ts'
import { AddButton, AddFirst } from '../../shared/list/AddButton.tsx'
import { type ChoiceSource, useChoices } from '../../shared/choices/choices.hook.ts'
import { LaterDialog } from '../../shared/page/Later.tsx'
import { TypeAhead } from '../../ui/choice/TypeAhead.tsx'
import { Empty } from '../../ui/notice/Notice.tsx'
import { INPUTS, matchingOutputs, outputsQuery } from '../contribution.queries.ts'
import { DESTINATION_FILTER } from '../destinations/destination.queries.ts'
import classes from '../list/LinkTable.module.css'
import { LinkTable } from '../list/LinkTable.tsx'
import { LinkTools } from '../list/LinkTools.tsx'
import type { OutputFilter } from '../list/list-filter.hook.ts'
import type { Output } from '@trunkline/contract/contributions/output.schema'
import cellClasses from './OutputsTab.module.css'
import { MODE_WORDS, movedText } from '../contribution.messages.ts'
import { ADD_OUTPUT, CHANGE_DESTINATION } from '../parts.loader.ts'

const ADD = {
  label: 'Add Output',
  dialogOf: (onClose: () => void) => <LaterDialog part={ADD_OUTPUT} props={{ onClose }} />,
}

/** The outputs of one input, to one destination; both filters are remembered (STORE-07). */
export function OutputTools({ filter }: { filter: OutputFilter }) {
  return (
    <LinkTools kind="output" paging={filter} add={<AddButton {...ADD} />}>
      <ChoiceFilter
        label="Input"
        allLabel="All inputs"
        source={INPUTS}
        value={filter.inputId}
        onChange={filter.setInputId}
      />
      <ChoiceFilter
        label="Destination"
        allLabel="All destinations"
        source={DESTINATION_FILTER}
        value={filter.destinationId}
        onChange={filter.setDestinationId}
      />
    </LinkTools>
  )
}

export function OutputTable({ filter }: { filter: OutputFilter }) {
  const answer = usePageQuery(outputsQuery(filter.list))
  return (
    <LinkTable
      kind="output"
      answer={answer}
      rows={answer.data?.outputs}
      filter={filter}
      askAll={async () => matchingOutputs(filter.list)}
      heads={['Input', 'Destination']}
      cellsOf={(output) => (
        <>
          <td className={classes.second} title={output.contributionInfo.title} data-phone="2">
            {output.contributionInfo.title}
          </td>
          <td data-phone="2-end">
            <DestinationCell output={output} />
          </td>
        </>
      )}
      empty={<NoOutputs />}
      change={{
        label: 'Change destination',
        disabledReason: () => null,
        dialogOf: ({ items, showOutcome, onClose }) => (
          <LaterDialog part={CHANGE_DESTINATION} props={{ outputs: items, showOutcome, onClose }} />
        ),
      }}
      // An output has no outputs.
      onShowOutputs={() => {}}
    />
  )
}

function NoOutputs() {
  return (
    <Empty title="No outputs here" action={<AddFirst {...ADD} />}>
      An output repeats the stream of one input to a destination. There is none for this choice.
    </Empty>
  )
}

interface FilterProps<T> {
  label: string
  allLabel: string
  source: ChoiceSource<T>
  value: string
  onChange: (id: string) => void
}

function ChoiceFilter<T extends { id: string; title: string }>(props: FilterProps<T>) {
  const { source, ...shown } = props
  const { rows, chosen, more, onType } = useChoices(source, props.value)
  return (
    <TypeAhead
      {...shown}
      valueLabel={chosen?.title ?? ''}
      choices={rows.map(({ id, title }) => ({ value: id, label: title }))}
      more={more}
      onType={onType}
    />
  )
}

/** Where an output sends: Push calls the far end, Listen waits for it on a port of ours. */
function DestinationCell({ output }: { output: Output }) {
  const { config, destinationInfo } = output
  if (config.mode === 'Listen') {
    return (
      <div className={cellClasses.cell}>
        <b>{config.port}</b>
        <i>{MODE_WORDS.Listen}</i>
      </div>
    )
  }
  const address = `${config.host}:${config.port}`
  if (destinationInfo === null) {
    return (
      <div className={cellClasses.cell}>
        <code title={address}>{address}</code>
      </div>
    )
  }
  // Q151: a destination that was changed moves no output; the row says that they differ.
  const hasMoved = destinationInfo.ip !== config.host
  const moved = hasMoved ? movedText(destinationInfo.ip) : ''
  return (
    <div
      className={cellClasses.two}
      title={[destinationInfo.title, address, moved].join('\n').trim()}
    >
      <b>{destinationInfo.title}</b>
      <span>
        <code>{address}</code>
        {hasMoved && <em>{moved}</em>}
      </span>
    </div>
  )
}
