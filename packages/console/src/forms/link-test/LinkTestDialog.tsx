/** 'Test a link': test packets both ways between two servers, before a stream goes on air there. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Choices, useChoices } from '../../shared/choices/choices.hook.ts'
import { GATEWAYS } from '../../shared/choices/server.queries.ts'
import { Lead } from '../../ui/dialog/Dialog.tsx'
import { Band } from '../../ui/notice/Notice.tsx'
import type { Server } from '@trunkline/contract/servers/server.schema'
import { FormSelect, FormText } from '../DialogFields.tsx'
import { type Form, useForm } from '../form.hook.ts'
import { FormDialog } from '../FormDialog.tsx'
import {
  checkTest,
  LINK_TEST_FIELDS,
  LINK_TEST_LABELS,
  newTest,
  type LinkTestValues,
} from './link-test-form.rules.ts'
import { startTest, type StartedTest } from './link-test.actions.ts'
import * as text from './link-test.messages.ts'
import { linkTestServerQuery } from './link-test.queries.ts'
import classes from './LinkTestDialog.module.css'
import { LinkTestResult } from './LinkTestResult.tsx'

interface LinkTestDialogProps {
  /** Chosen from the start; '' for none. */
  fromServerId: string
  toServerId: string
  onClose: () => void
}

interface BegunTest {
  test: StartedTest
  values: LinkTestValues
  titles: { from: string; to: string }
}

export function LinkTestDialog({ fromServerId, toServerId, onClose }: LinkTestDialogProps) {
  const [begun, setBegun] = useState<BegunTest | null>(null)
  const [initial, setInitial] = useState(() => newTest(fromServerId, toServerId))
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
  const from = useEnd(chosen.fromServerId)
  const to = useEnd(chosen.toServerId)
  const address = chosen.address || (to.addresses[0] ?? '')
  const titles = { from: from.title, to: to.title }
  const form = useForm<LinkTestValues>({
    initial,
    version: null,
    check: (values) => checkTest(values, address),
    save: async (values) => onBegin({ test: await startTest(values, address), values, titles }),
    labels: LINK_TEST_LABELS,
    fields: LINK_TEST_FIELDS,
    fallback: text.START_FAILED,
  })
  // The two servers decide what is read, and that decides what is wrong with the form.
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
      {from.choices.isError && (
        <Band family="bad" shape="octagon">
          {text.NO_SERVERS}
        </Band>
      )}
      <div className={classes.fields}>
        <ServerField form={form} name="fromServerId" choices={from.choices} />
        <ServerField form={form} name="toServerId" choices={to.choices} />
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
        <FormText form={form} name="port" inputMode="numeric" hint={text.PORT_HINT} />
        <FormText form={form} name="rateKbps" inputMode="numeric" hint={text.RATE_HINT} />
        <FormText form={form} name="durationS" inputMode="numeric" hint={text.DURATION_HINT} />
      </div>
      {form.isValid && titles.from !== '' && titles.to !== '' && (
        <Lead>{text.loadText(titles.from, titles.to, rateKbps, durationS)}</Lead>
      )}
    </FormDialog>
  )
}

interface ServerFieldProps {
  form: Form<LinkTestValues>
  name: 'fromServerId' | 'toServerId'
  choices: Choices<Server>
}

function ServerField({ form, name, choices: { rows, more, onType } }: ServerFieldProps) {
  const prompt = name === 'fromServerId' ? text.CHOOSE_FROM : text.CHOOSE_TO
  return (
    <FormSelect
      form={form}
      name={name}
      data-autofocus={name === 'fromServerId'}
      choices={[
        { value: '', label: prompt, isDisabled: true },
        ...rows.map(({ _id, title }) => ({ value: _id, label: title })),
      ]}
      more={more}
      onType={onType}
      onChange={(value) =>
        form.set(name === 'toServerId' ? { toServerId: value, address: '' } : { [name]: value })
      }
    />
  )
}

/** The servers to choose from, and what is known of the chosen one. */
function useEnd(serverId: string) {
  const choices = useChoices(GATEWAYS, serverId)
  const { data, isError } = useQuery(linkTestServerQuery(serverId))
  const unread = isError ? text.SERVER_FAILED : text.NOT_READ
  return {
    choices,
    title: choices.chosen?.title ?? data?.title ?? '',
    addresses: data?.addresses ?? [],
    unable: data === undefined ? unread : data.unable,
  }
}

/** Why the test cannot be started; null when it can be. */
function reasonOf(
  { fromServerId, toServerId }: LinkTestValues,
  unableFrom: string,
  unableTo: string,
): string | null {
  if (fromServerId === '') return text.CHOOSE_FROM
  if (toServerId === '') return text.CHOOSE_TO
  if (fromServerId === toServerId) return text.SAME_SERVER
  return unableFrom || unableTo || null
}
