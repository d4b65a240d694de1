/** Moves inputs with their outputs to another server: what will happen first, one result each after. */
import { useQueries } from '@tanstack/react-query'
import type { Input } from '@trunkline/contract/contributions/input.schema'
import { mayDo } from '@trunkline/contract/role-table'
import type { Server } from '@trunkline/contract/servers/server.schema'
import { useState } from 'react'
import { FormSelect } from '../../forms/DialogFields.tsx'
import { useForm, type Form } from '../../forms/form.hook.ts'
import { FormDialog } from '../../forms/FormDialog.tsx'
import { useHost } from '../../lib/live/live-hooks.ts'
import { useRole } from '../../lib/session.ts'
import { useChoices } from '../../shared/choices/choices.hook.ts'
import { GATEWAYS } from '../../shared/choices/server.queries.ts'
import { Section } from '../../shared/page/Section.tsx'
import { ChoiceList } from '../../ui/choice/ChoiceList.tsx'
import { ResultDialog } from '../../ui/dialog/ResultDialog.tsx'
import { Band } from '../../ui/notice/Notice.tsx'
import { Shape } from '../../ui/symbol/Shape.tsx'
import { countText, SELECT_SERVER, SERVER_CHANGE_FAILED } from '../contribution.messages.ts'
import classes from './ChangeServerDialog.module.css'
import { useChangeServer } from './server-change.actions.ts'
import { RESULT_WORDS } from './server-change.messages.ts'
import * as text from './server-change.messages.ts'
import { feedersToQuery } from '../contribution.queries.ts'
import {
  ANY_ADAPTER,
  consequencesOf,
  inputsToMove,
  isListening,
  NOTHING_YET,
  progressOf,
  resultsOf,
  serverChoices,
  serversToStop,
  type ItemResult,
  type Outcome,
  type ServerChange,
  type Result,
} from './server-change.rules.ts'

export interface ChangeServerDialogProps {
  /** As they are now: while they move, this is how one sees where each is. */
  inputs: readonly Input[]
  onClose: () => void
}

interface Finished {
  server: Server
  results: readonly ItemResult[]
}

export function ChangeServerDialog({ inputs, onClose }: ChangeServerDialogProps) {
  // As they were when the dialog was opened, whatever becomes of them.
  const [chosen] = useState(inputs)
  const [finished, setFinished] = useState<Finished | null>(null)
  if (finished !== null) return <MovedDialog {...finished} onClose={onClose} />
  return <ChangeServerForm inputs={chosen} now={inputs} onDone={setFinished} onClose={onClose} />
}

interface FormProps extends ChangeServerDialogProps {
  now: readonly Input[]
  onDone: (finished: Finished) => void
}

function ChangeServerForm({ inputs, now, onDone, onClose }: FormProps) {
  const change = useChangeServer()
  const mayAdd = mayDo(useRole(), 'editServers')
  const [outcome, setOutcome] = useState(NOTHING_YET)
  const form = useForm<ServerChange>({
    initial: { serverId: '', adapterId: ANY_ADAPTER, keepOrDelete: '1' },
    version: null,
    check: ({ serverId }) => (serverId === '' ? { serverId: SELECT_SERVER } : {}),
    save: async (values) => {
      const server = gateways.known(values.serverId)
      if (server === null) return
      const moving = inputsToMove(inputs, server._id)
      const asked = { inputs: moving, server, change: values }
      onDone({ server, results: resultsOf(moving, await change(asked, setOutcome)) })
    },
    keptAs: ['change-server', ...inputs.map(({ id }) => id)],
    labels: text.LABELS,
    fallback: SERVER_CHANGE_FAILED,
  })
  const gateways = useChoices(GATEWAYS, form.values.serverId)
  const server = gateways.known(form.values.serverId)
  const isSilent = useHost('server', server?._id ?? '')?.online === false
  const choices = serverChoices(gateways.rows, inputs)
  return (
    <FormDialog
      title="Change server"
      subtitle={inputs.length === 1 ? inputs[0]?.title : countText(inputs.length, 'input')}
      width={560}
      form={form}
      saveLabel="Change server"
      disabledReason={server === null ? text.CHOOSE_SERVER : null}
      closeLabel={form.isPending ? 'Close' : 'Cancel'}
      onClose={onClose}
    >
      {gateways.isError && (
        <Band family="bad" shape="octagon">
          {text.SERVERS_FAILED}
        </Band>
      )}
      {server !== null && isSilent && (
        <Band family="warn" shape="triangle">
          {text.silentServer(server.title)}
        </Band>
      )}
      {gateways.isRead && gateways.total <= 1 && choices.length === 0 && (
        <Band family="warn" shape="triangle">
          {mayAdd ? text.NO_OTHER_SERVER : text.NO_OTHER_SERVER_ASK}
        </Band>
      )}
      <fieldset className={classes.fields} disabled={form.isPending} aria-label="Move to">
        <Places
          form={form}
          choices={choices}
          more={gateways.more}
          onType={gateways.onType}
          server={server}
        />
      </fieldset>
      {form.isPending && server !== null ? (
        <Progress
          inputs={inputsToMove(inputs, server._id)}
          now={now}
          outcome={outcome}
          server={server}
        />
      ) : (
        <Plan inputs={inputs} server={server} adapterId={form.values.adapterId} />
      )}
    </FormDialog>
  )
}

interface PlacesProps {
  form: Form<ServerChange>
  choices: readonly Server[]
  more: number
  onType: (text: string) => void
  server: Server | null
}

function Places({ form, choices, more, onType, server }: PlacesProps) {
  const { keepOrDelete } = form.values
  return (
    <>
      <FormSelect
        form={form}
        name="serverId"
        data-autofocus
        choices={[
          { value: '', label: SELECT_SERVER, isDisabled: true },
          ...choices.map(({ _id, title }) => ({ value: _id, label: title })),
        ]}
        more={more}
        onType={onType}
        onChange={(value) => form.set({ serverId: value, adapterId: ANY_ADAPTER })}
      />
      <FormSelect
        form={form}
        name="adapterId"
        choices={[
          { value: ANY_ADAPTER, label: 'Any' },
          ...(server?.adapterIps ?? []).map(({ _id, adapterName, adapterIp }) => ({
            value: _id,
            label: `${adapterName} ${adapterIp}`,
          })),
        ]}
      />
      <ChoiceList
        label={text.LABELS.keepOrDelete}
        kind="one"
        choices={[
          { value: '1', label: 'Remove from the old server' },
          { value: '0', label: 'Keep on the old server', detail: 'stopped' },
        ]}
        chosen={[keepOrDelete]}
        emptyText=""
        onChange={([value]) => form.set({ keepOrDelete: value === '0' ? '0' : '1' })}
      />
    </>
  )
}

interface PlanProps {
  inputs: readonly Input[]
  server: Server | null
  adapterId: string
}

function Plan({ inputs, server, adapterId }: PlanProps) {
  const serverIds = new Set(inputs.filter(isListening).map(({ serverId }) => serverId))
  const feedersTo = useQueries({
    queries: [...serverIds].map(feedersToQuery),
    combine: (answers) => answers.flatMap(({ data }) => data ?? []),
  })
  return (
    <Section title="On save">
      <p className={classes.lead}>{text.LEAD}</p>
      <MoveItems
        label="What happens to each input"
        items={inputs.map((input) => ({
          input,
          result: null,
          sentences: consequencesOf(input, feedersTo, server, adapterId),
        }))}
      />
    </Section>
  )
}

interface ProgressProps {
  inputs: readonly Input[]
  now: readonly Input[]
  outcome: Outcome
  server: Server
}

function Progress({ inputs, now, outcome, server }: ProgressProps) {
  const items = progressOf(inputs, now, outcome, server)
  const moved = items.filter(({ result }) => result === 'moved').length
  const olds = serversToStop(items, outcome)
  return (
    <Section title="Moving" aside={`${moved} of ${inputs.length}`}>
      <p role="status" className={classes.lead}>
        {olds.length > 0 && text.stopsOn(server.title, olds)}
      </p>
      <p className={classes.lead}>{text.GOES_ON}</p>
      <MoveItems label={`Moving to ${server.title}`} items={items} />
    </Section>
  )
}

/** What became of each stays readable until it was read. */
function MovedDialog({ server, results, onClose }: Finished & { onClose: () => void }) {
  const moved = results.filter(({ result }) => result === 'moved').length
  return (
    <ResultDialog
      title="Change server"
      subtitle={text.movedText(moved, results.length - moved, server.title)}
      onClose={onClose}
    >
      <MoveItems label="Results" items={results} />
    </ResultDialog>
  )
}

interface MoveItem {
  input: Input
  /** Null before anything was done. */
  result: Result | null
  sentences: readonly string[]
}

const SHAPES = {
  moved: { shape: 'disc', family: 'ok' },
  failed: { shape: 'octagon', family: 'bad' },
  moving: { shape: 'arc', family: 'move' },
} as const

/** One line per input that goes to another server: what will happen, where it stands, or how it ended. */
function MoveItems({ label, items }: { label: string; items: readonly MoveItem[] }) {
  return (
    // A long list scrolls by itself, so the keyboard must reach it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <ul className={classes.items} aria-label={label} tabIndex={0}>
      {items.map(({ input, result, sentences }) => (
        <li key={input._id}>
          <div className={classes.head}>
            {result !== null && <Shape {...SHAPES[result]} />}
            <b>{input.title}</b>
            {result !== null && <span className={classes.word}>{RESULT_WORDS[result]}</span>}
          </div>
          {sentences.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </li>
      ))}
    </ul>
  )
}
