/** The network adapters of a server: the list, and the pair that is being typed. */
import { useId, useState, type KeyboardEvent } from 'react'
import type { Form } from '../forms/form.hook.ts'
import { Button, IconButton } from '../ui/button/Button.tsx'
import { Field, Help } from '../ui/field/Field.tsx'
import { ADAPTERS_HINT, ADAPTERS_REPORTED } from './server.messages.ts'
import {
  offeredPairs,
  SERVER_LABELS,
  tryPair,
  type AdapterPair,
  type ServerValues,
} from './server-form.rules.ts'
import classes from './AdapterPairs.module.css'

interface AdapterPairsProps {
  form: Form<ServerValues>
  /** By the agents at the host; empty while none was heard. */
  reported: readonly AdapterPair[]
}

export function AdapterPairs({ form, reported }: AdapterPairsProps) {
  const { values } = form
  const error = form.errorOf('adapterIps')
  const typing = usePairTyping(form)
  return (
    <fieldset className={classes.pairs}>
      <legend className={classes.legend}>
        {SERVER_LABELS.adapterIps}
        {values.adapterIps.length > 0 && ` (${values.adapterIps.length})`}
      </legend>
      <div className={classes.typed} data-bad={error !== '' || undefined}>
        <Field
          label={SERVER_LABELS.adapterName}
          placeholder="eth0"
          {...typing.propsOf('adapterName')}
        />
        <Field
          label={SERVER_LABELS.adapterIp}
          placeholder="192.0.2.10"
          error={typing.sentence}
          {...typing.propsOf('adapterIp')}
        />
        <Button
          className={classes.add}
          size={36}
          icon="plus"
          disabledReason={typing.isHalf ? 'Fill in the adapter’s name and its IP first.' : null}
          onClick={(event) => typing.add(event.currentTarget)}
        >
          Add
        </Button>
      </div>
      {values.adapterIps.length > 0 && (
        <ul className={classes.list} aria-label={SERVER_LABELS.adapterIps}>
          {values.adapterIps.map((pair) => (
            <PairChip
              key={`${pair.adapterName} ${pair.adapterIp}`}
              pair={pair}
              onRemove={() =>
                form.set({ adapterIps: values.adapterIps.filter((item) => item !== pair) })
              }
            />
          ))}
        </ul>
      )}
      <OfferedPairs form={form} pairs={offeredPairs(values, reported)} />
      <Help error={error} hint={reported.length === 0 ? ADAPTERS_HINT : ADAPTERS_REPORTED} />
    </fieldset>
  )
}

interface OfferedPairsProps {
  form: Form<ServerValues>
  pairs: readonly AdapterPair[]
}

/** Each is added by a click; what is not among them is typed above. */
function OfferedPairs({ form, pairs }: OfferedPairsProps) {
  const id = useId()
  if (pairs.length === 0) return null
  return (
    <div className={classes.offered}>
      <span id={id}>Reported by the host</span>
      <ul className={classes.list} aria-labelledby={id}>
        {pairs.map((pair) => (
          <li key={`${pair.adapterName} ${pair.adapterIp}`}>
            <Button
              size={28}
              icon="plus"
              onClick={(event) => {
                // The button goes with its pair.
                focusName(event.currentTarget)
                form.set({ adapterIps: [...form.values.adapterIps, pair] })
              }}
            >
              {pair.adapterName} {pair.adapterIp}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}

function PairChip({ pair, onRemove }: { pair: AdapterPair; onRemove: () => void }) {
  return (
    <li className={classes.chip}>
      <b>{pair.adapterName}</b>
      <code>{pair.adapterIp}</code>
      <IconButton
        icon="close"
        label={`Remove ${pair.adapterName} ${pair.adapterIp}`}
        tone="quiet"
        size={28}
        onClick={(event) => {
          // The button goes with its pair, and the focus must not go to nowhere.
          focusName(event.currentTarget)
          onRemove()
        }}
      />
    </li>
  )
}

/** Enter adds the pair; it does not save the server around it. */
function usePairTyping(form: Form<ServerValues>) {
  const [sentence, setSentence] = useState('')
  const { values } = form
  const add = (from: HTMLElement) => {
    const tried = tryPair(values)
    if (tried.kind === 'half') return
    if (tried.kind === 'wrong') {
      setSentence(tried.sentence)
      return
    }
    setSentence('')
    form.set(tried.change)
    focusName(from)
  }
  return {
    sentence,
    add,
    isHalf: tryPair(values).kind === 'half',
    propsOf: (name: 'adapterName' | 'adapterIp') => ({
      autoComplete: 'off',
      spellCheck: false,
      value: values[name],
      onChange: (event: { target: { value: string } }) => {
        setSentence('')
        form.set({ [name]: event.target.value })
      },
      onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
        if (event.key !== 'Enter') return
        event.preventDefault()
        add(event.currentTarget)
      },
    }),
  }
}

/** Back to where the next pair begins. */
function focusName(from: HTMLElement): void {
  from.closest('fieldset')?.querySelector('input')?.focus()
}
