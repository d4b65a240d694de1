/** 'Test a link': test packets both ways between two hosts, before a stream goes on air there. */
import { useQuery } from '@tanstack/react-query'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import type {
  LinkTestHostKind,
  StartedLinkTest,
} from '@trunkline/contract/link-tests/link-test.calls'
import type { Server } from '@trunkline/contract/servers/server.schema'
import { useState } from 'react'
import { type Choices, useChoices } from '../../shared/choices/choices.hook.ts'
import { ENCODERS } from '../../shared/choices/encoder.queries.ts'
import { GATEWAYS } from '../../shared/choices/server.queries.ts'
import { Lead } from '../../ui/dialog/Dialog.tsx'
import { Band } from '../../ui/notice/Notice.tsx'
import { FormSelect, FormText } from '../DialogFields.tsx'
import { type Form, useForm } from '../form.hook.ts'
import { FormDialog } from '../FormDialog.tsx'
import {
  checkTest,
  type ChosenEnds,
  LINK_TEST_LABELS,
  newTest,
  type LinkTestValues,
} from './link-test-form.rules.ts'
import { startTest } from './link-test.actions.ts'
import * as text from './link-test.messages.ts'
import { linkTestHostQuery } from './link-test.queries.ts'
import classes from './LinkTestDialog.module.css'
import { LinkTestResult } from './LinkTestResult.tsx'

interface LinkTestDialogProps {
  ends: ChosenEnds
  onClose: () => void
}

interface BegunTest {
  test: StartedLinkTest
  values: LinkTestValues
  titles: { from: string; to: string }
}

export function LinkTestDialog({ ends, onClose }: LinkTestDialogProps) {
  const [begun, setBegun] = useState<BegunTest | null>(null)
  const [initial, setInitial] = useState(() => newTest(ends))
  if (begun === null) {
    return <LinkTestForm initial={initial} onBegin={setBegun} onClose={onClose} />
  }
  const again = () => {
    setInitial(begun.values)
    setBegun(null)
  }
  return (
    <LinkTestResult test={begun.test} titles={begun.titles} onAgain={again} onClose={onClose} />
  )
}

interface LinkTestFormProps {
  initial: LinkTestValues
  onBegin: (begun: BegunTest) => void
  onClose: () => void
}

function LinkTestForm({ initial, onBegin, onClose }: LinkTestFormProps) {
  const [chosen, setChosen] = useState(initial)
  const from = useEnd(chosen.fromKind, chosen.fromId)
  const to = useEnd('server', chosen.toServerId)
  const address = chosen.address || (to.addresses[0] ?? '')
  const titles = { from: from.title, to: to.title }
  const form = useForm<LinkTestValues>({
    initial,
    version: null,
    check: (values) => checkTest(values, address),
    save: async (values) => onBegin({ test: await startTest(values, address), values, titles }),
    labels: LINK_TEST_LABELS,
    fallback: text.START_FAILED,
  })
  // The two ends decide what is read, and that decides what is wrong with the form.
  if (form.values !== chosen) setChosen(form.values)
  const { rateKbps, durationS } = form.values
  return (
    <FormDialog
      title={text.TITLE}
      width={560}
      form={form}
      saveLabel={text.START}
      disabledReason={reasonOf(form.values, from.unable, to.unable)}
      onClose={onClose}
    >
      {(from.choices.isError || to.choices.isError) && (
        <Band family="bad" shape="octagon">
          {text.NO_LISTS}
        </Band>
      )}
      <div className={classes.fields}>
        <FormSelect
          form={form}
          name="fromKind"
          choices={KINDS}
          onChange={(fromKind) => form.set({ fromKind, fromId: '' })}
        />
        <HostField form={form} name="fromId" choices={from.choices} />
        <HostField form={form} name="toServerId" choices={to.choices} />
        <FormSelect
          form={form}
          name="address"
          value={address}
          choices={(to.addresses.length > 0 ? to.addresses : [address]).map((value) => ({
            value,
            label: value,
          }))}
          hint={text.ADDRESS_HINT}
        />
        <div className={classes.wide}>
          <FormText form={form} name="port" inputMode="numeric" hint={text.PORT_HINT} />
        </div>
        <FormText form={form} name="rateKbps" inputMode="numeric" hint={text.RATE_HINT} />
        <FormText form={form} name="durationS" inputMode="numeric" hint={text.DURATION_HINT} />
      </div>
      {form.isValid && titles.from !== '' && titles.to !== '' && (
        <Lead>{text.loadText(titles.from, titles.to, rateKbps, durationS)}</Lead>
      )}
    </FormDialog>
  )
}

const KINDS = [
  { value: 'encoder', label: 'An encoder' },
  { value: 'server', label: 'A server' },
] as const

interface HostFieldProps {
  form: Form<LinkTestValues>
  name: 'fromId' | 'toServerId'
  choices: HostChoices
}

function HostField({ form, name, choices: { rows, more, onType } }: HostFieldProps) {
  const prompt = name === 'fromId' ? text.CHOOSE_FROM : text.CHOOSE_TO
  return (
    <FormSelect
      form={form}
      name={name}
      data-autofocus={name === 'fromId'}
      choices={[
        { value: '', label: prompt, isDisabled: true },
        ...rows.map(({ _id, title }) => ({ value: _id, label: title })),
      ]}
      more={more}
      onType={onType}
      onChange={(value) =>
        form.set(name === 'toServerId' ? { toServerId: value, address: '' } : { fromId: value })
      }
    />
  )
}

type HostChoices = Pick<Choices<Encoder | Server>, 'rows' | 'more' | 'onType' | 'isError'>

/** The hosts to choose from, and what is known of the chosen one. */
function useEnd(kind: LinkTestHostKind, id: string) {
  const isEncoder = kind === 'encoder'
  const encoders = useChoices(ENCODERS, isEncoder ? id : '', isEncoder)
  const servers = useChoices(GATEWAYS, isEncoder ? '' : id, !isEncoder)
  const choices: HostChoices = isEncoder ? encoders : servers
  const { data, isError } = useQuery(linkTestHostQuery(kind, id))
  const unread = isError ? text.HOST_FAILED : text.NOT_READ
  return {
    choices,
    title: data?.title ?? '',
    addresses: data?.addresses ?? [],
    unable: data === undefined ? unread : data.unable,
  }
}

/** Why the test cannot be started; null when it can be. */
function reasonOf(
  { fromId, toServerId }: LinkTestValues,
  unableFrom: string,
  unableTo: string,
): string | null {
  if (fromId === '') return text.CHOOSE_FROM
  if (toServerId === '') return text.CHOOSE_TO
  if (fromId === toServerId) return text.SAME_SERVER
  return unableFrom || unableTo || null
}
