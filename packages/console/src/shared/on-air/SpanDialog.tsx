/** Puts an object on air: until it is taken off, or for a time span. Takes it off again. */
import { ON_AIR_NOTE_CHARACTERS, type OnAirRecord } from '@trunkline/contract/on-air/on-air.schema'
import { listOnAir } from '@trunkline/contract/on-air/on-air.calls'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useIsShown } from '../../lib/answer/is-shown.hook.ts'
import { call } from '../../lib/call.ts'
import type { OnAirObject } from '../../lib/on-air.ts'
import { Button } from '../../ui/button/Button.tsx'
import { Dialog } from '../../ui/dialog/Dialog.tsx'
import { Field } from '../../ui/field/Field.tsx'
import { Skeleton } from '../../ui/notice/Skeleton.tsx'
import { isoOfClockText, CLOCK_TEXT_FAULT, clockText } from '../clock-text.rules.ts'
import { useKeptValues } from '../kept/kept-values.hook.ts'
import classes from './OnAirDialogs.module.css'
import { momentText } from './on-air.messages.ts'
import { putObjectOnAir, takeObjectOffAir } from './on-air-save.actions.ts'
import { ZONE_WORD } from '../../lib/locale/time-zone.ts'

interface SpanDialogProps {
  object: OnAirObject
  onClose: () => void
}

export function SpanDialog(props: SpanDialogProps) {
  const { object } = props
  const { data, isPending } = useQuery({
    queryKey: ['onAir', object.kind, object.id],
    queryFn: async ({ signal }) => call(listOnAir, { signal }),
    // What somebody else has set meanwhile is what is edited.
    staleTime: 0,
    gcTime: 0,
  })
  const mark = data?.data.find(({ kind, id }) => kind === object.kind && id === object.id) ?? null
  if (!isPending) return <SpanForm {...props} mark={mark} />
  return (
    <Dialog title="On air" subtitle={object.title} width={560} isOpen onClose={props.onClose}>
      <Skeleton kind="row" count={2} height={44} />
    </Dialog>
  )
}

function SpanForm({ object, mark, onClose }: SpanDialogProps & { mark: OnAirRecord | null }) {
  const [values, keep] = useKeptValues(['on-air', object.kind, object.id], valuesOf(mark))
  const { from, until, note } = values
  const form = useRef<HTMLFormElement>(null)
  const [error, setError] = useState('')
  const faults = { from: faultOf('From', from), until: faultOf('Until', until) }
  const [isTried, setTried] = useState(false)
  const { isPending, carryOut } = useOnce(onClose)
  const save = async () => {
    setTried(true)
    const faulty = (['from', 'until'] as const).find((name) => faults[name] !== '')
    if (faulty !== undefined) {
      form.current?.querySelector<HTMLElement>(`[name="${faulty}"]`)?.focus()
      return
    }
    const body = {
      // One that is on air goes on: its start is in the past.
      from: mark?.isOnAir === true ? null : isoOfClockText(from),
      until: isoOfClockText(until),
      note,
      ...(mark === null ? {} : { version: mark.version }),
    }
    await carryOut(async () => {
      const sentence = await putObjectOnAir(object, body)
      setError(sentence)
      return sentence === ''
    })
  }
  return (
    <Dialog
      title={mark === null ? 'Put on air' : 'On air'}
      subtitle={object.title}
      width={560}
      isOpen
      onClose={onClose}
      footer={
        <>
          {mark !== null && (
            <span className={classes.aside}>
              <Button
                size={36}
                tone="danger"
                disabledReason={isPending ? '' : null}
                onClick={() => void carryOut(async () => takeObjectOffAir(object))}
              >
                Take off air
              </Button>
            </span>
          )}
          <Button size={36} onClick={onClose}>
            Cancel
          </Button>
          <Button
            size={36}
            tone="primary"
            disabledReason={isPending ? '' : null}
            aria-busy={isPending || undefined}
            onClick={() => void save()}
          >
            {mark === null ? 'Put on air' : 'Save'}
          </Button>
        </>
      }
    >
      <form
        ref={form}
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <p>
          {mark === null
            ? 'While it is on air, its title must be typed before its signal path is interrupted.'
            : `${momentText(mark)}, put on air by ${mark.by}.`}
        </p>
        <div className={classes.span}>
          <Field
            label={`From (${ZONE_WORD})`}
            name="from"
            placeholder={EXAMPLE}
            error={isTried ? faults.from : ''}
            data-autofocus={mark === null || undefined}
            disabled={mark?.isOnAir === true}
            value={from}
            hint={mark?.isOnAir === true ? 'It is on air already.' : 'Leave empty for now.'}
            onChange={(event) => keep({ ...values, from: event.target.value })}
          />
          <Field
            label={`Until (${ZONE_WORD})`}
            name="until"
            placeholder={EXAMPLE}
            value={until}
            error={isTried && faults.until !== '' ? faults.until : error}
            hint="Leave empty until it is taken off air."
            onChange={(event) => {
              keep({ ...values, until: event.target.value })
              setError('')
            }}
          />
        </div>
        <Field
          label="Note"
          maxLength={ON_AIR_NOTE_CHARACTERS}
          value={note}
          hint="Which programme it is, or whom to call."
          onChange={(event) => keep({ ...values, note: event.target.value })}
        />
        {/* Enter saves from every field. */}
        <button type="submit" hidden aria-label="Save" />
      </form>
    </Dialog>
  )
}

/** One call at a time; what worked ends the dialog. */
function useOnce(onClose: () => void) {
  const isShown = useIsShown()
  const [isPending, setPending] = useState(false)
  const carryOut = async (send: () => Promise<boolean>) => {
    if (isPending) return
    setPending(true)
    const isDone = await send()
    setPending(false)
    if (isDone && isShown.current) onClose()
  }
  return { isPending, carryOut }
}

const EXAMPLE = '2026-11-20 02:00'

/** '' while it is well, or empty. */
function faultOf(label: string, typed: string): string {
  return typed.trim() === '' || isoOfClockText(typed) !== null ? '' : `${label} ${CLOCK_TEXT_FAULT}`
}

function valuesOf(mark: OnAirRecord | null) {
  const from = mark === null ? '' : clockText(mark.fromMs)
  return { from, until: untilOf(mark), note: mark?.note ?? '' }
}

/** As its field has it: empty while it has no end. */
function untilOf(mark: OnAirRecord | null): string {
  const untilMs = mark?.untilMs ?? null
  return untilMs === null ? '' : clockText(untilMs)
}
