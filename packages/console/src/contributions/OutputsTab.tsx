/** The outputs: which input each one repeats, and to whom. */
import { useQuery } from '@tanstack/react-query'
import type { Output } from '@trunkline/contract/contributions/output.schema'
import { SUGGESTIONS_LIMIT } from '@trunkline/contract/paging.schema'
import { Empty } from '../ui/Notice.tsx'
import { Select } from '../ui/Select.tsx'
import { inputChoicesQuery, outputsQuery } from './contribution.queries.ts'
import { linkOfOutput } from './link.rules.ts'
import { LinkRow } from './LinkRow.tsx'
import { LinkTable } from './LinkTable.tsx'
import classes from './LinkTable.module.css'
import { LinkTools } from './LinkTools.tsx'
import type { OutputFilter } from './list-filter.hook.ts'

export function OutputTools({ filter }: { filter: OutputFilter }) {
  const choices = useInputChoices()
  const isKnown = filter.inputId === '' || choices.some(({ value }) => value === filter.inputId)
  return (
    <LinkTools kind="output" paging={filter}>
      <Select
        label="Input"
        isLabelShown
        className={classes.inputFilter}
        choices={[
          { value: '', label: 'All inputs' },
          ...choices,
          ...(isKnown ? [] : [{ value: filter.inputId, label: '…' }]),
        ]}
        value={filter.inputId}
        onChange={filter.setInputId}
      />
    </LinkTools>
  )
}

/** The first page as specified, and all of them once there are more: the 13th must be choosable. */
function useInputChoices() {
  const first = useQuery(inputChoicesQuery(SUGGESTIONS_LIMIT))
  const hasMore = (first.data?.total ?? 0) > SUGGESTIONS_LIMIT
  const all = useQuery({ ...inputChoicesQuery(0), enabled: hasMore })
  const inputs = (all.data ?? first.data)?.contributions ?? []
  return inputs.map((input) => ({ value: input.id, label: input.title }))
}

export function OutputTable({ filter }: { filter: OutputFilter }) {
  const answer = useQuery(outputsQuery(filter.list))
  return (
    <LinkTable
      kind="output"
      answer={answer}
      rows={answer.data?.outputs}
      total={answer.data?.total ?? 0}
      paging={filter}
      heads={['Input', 'Destination']}
      empty={<NoOutputs />}
      rowOf={(output, onLog) => (
        <LinkRow key={output.id} link={linkOfOutput(output)} onLog={onLog}>
          <td className={classes.second} title={output.contributionInfo.title}>
            {output.contributionInfo.title}
          </td>
          <td className={classes.destination}>{destinationOf(output)}</td>
        </LinkRow>
      )}
    />
  )
}

/** Push calls the far end; Listen waits for it on a port of ours. */
function destinationOf({ config }: Output) {
  const port = String(config.port)
  if (config.mode === 'Listen') {
    return (
      <>
        <span>{port}</span> <i>Listen</i>
      </>
    )
  }
  return <code title={`${config.host}:${port}`}>{`${config.host}:${port}`}</code>
}

function NoOutputs() {
  return (
    <Empty title="No outputs here">
      An output repeats the stream of one input to a destination. There is none for this choice.
    </Empty>
  )
}
