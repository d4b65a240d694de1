/** 'Manage Servers': makes a server, or changes one. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Server, SERVER_TYPES } from '@trunkline/contract/servers/server.schema'
import type { GroupRef } from '@trunkline/contract/session/session.schema'
import { useState } from 'react'
import { FormArea, FormSecret, FormSelect, FormText } from '../forms/DialogFields.tsx'
import { type Form, readCurrentBy, useForm } from '../forms/form.hook.ts'
import { FormDialog } from '../forms/FormDialog.tsx'
import { useIsShown } from '../lib/answer/is-shown.hook.ts'
import { useHost } from '../lib/live/live-hooks.ts'
import { useChoices } from '../shared/choices/choices.hook.ts'
import { GROUPS } from '../shared/choices/group.queries.ts'
import { ENROLMENT_DIALOG } from '../shared/enrolment/enrolment.loader.ts'
import { EnrolmentLead } from '../shared/enrolment/EnrolmentLead.tsx'
import { EnrolsTick } from '../shared/enrolment/EnrolsTick.tsx'
import { keyHint } from '../shared/enrolment/key-hint.rules.ts'
import { LaterDialog } from '../shared/page/Later.tsx'
import { Leaving } from '../forms/leave/Leaving.tsx'
import { ChoiceList } from '../ui/choice/ChoiceList.tsx'
import { AdapterPairs } from './AdapterPairs.tsx'
import { useSaveServer } from './server.actions.ts'
import * as text from './server.messages.ts'
import { hostAdaptersQuery } from './server.queries.ts'
import {
  type AdapterPair,
  checkServer,
  SERVER_LABELS,
  type ServerValues,
  valuesOf,
  withReported,
} from './server-form.rules.ts'
import fieldRow from '../ui/field/FieldRow.module.css'

interface ServerDialogProps {
  /** As it was when the dialog was opened; null for a new server. */
  server: Server | null
  onClose: () => void
}

/**
 * A new host of an agent goes on to be enrolled: until then its key crosses the network in clear. After
 * that the form is there once more, with the adapters that the host reports.
 */
export function ServerDialog({ server, onClose }: ServerDialogProps) {
  const client = useQueryClient()
  const [added, setAdded] = useState<Server | null>(null)
  const [reported, setReported] = useState<readonly AdapterPair[] | null>(null)
  if (added === null || reported !== null) {
    const shown = added ?? server
    const initial = shown === null ? valuesOf(null) : withReported(shown, reported ?? [])
    return <ServerForm server={shown} initial={initial} onAdded={setAdded} onClose={onClose} />
  }
  const object = { kind: 'server', id: added.id, title: added.title } as const
  // Without an answer they are typed, or offered once they are there.
  const choose = async () =>
    setReported(await client.fetchQuery(hostAdaptersQuery(added.host)).catch(() => []))
  const next = { label: text.CHOOSE_ADAPTERS, go: () => void choose() }
  return <LaterDialog part={ENROLMENT_DIALOG} props={{ object, next, onClose }} />
}

interface ServerFormProps extends ServerDialogProps {
  initial: ServerValues
  onAdded: (server: Server) => void
}

function ServerForm({ server, initial, onAdded, onClose }: ServerFormProps) {
  const save = useSaveServer(server)
  const isShown = useIsShown()
  const form = useForm<ServerValues>({
    initial,
    version: server?.version ?? null,
    check: (values) => checkServer(values, server),
    save: async (values, version) => {
      const saved = await save(values, version)
      if (server === null && saved.serverType === 'acants') onAdded(saved)
      else if (isShown.current) onClose()
    },
    keptAs: ['server', server?.id],
    labels: SERVER_LABELS,
    asTyped: ['title', 'host', 'port', 'description', 'location'],
    fallback: server === null ? text.ADD_FAILED : text.UPDATE_FAILED,
    readCurrent: readCurrentBy(Server, valuesOf),
  })
  const [host, setHost] = useState(form.values.host)
  const { enrols } = form.values
  const { data: reported = [] } = useQuery(hostAdaptersQuery(host))
  return (
    <FormDialog
      title="Manage Servers"
      subtitle={server?.title}
      width={720}
      form={form}
      saveLabel={server === null ? 'Add server' : 'Save'}
      onClose={onClose}
    >
      {server === null && <EnrolmentLead takesKey={!enrols} />}
      {server === null && (
        <EnrolsTick
          enrols={enrols}
          label={text.ENROLS}
          hint={text.ENROLS_MEANS}
          onChange={(next) => form.set({ enrols: next })}
        />
      )}
      <div className={fieldRow.columns}>
        <div className={fieldRow.column}>
          <FormText form={form} name="title" data-autofocus={server === null ? undefined : true} />
          <div className={fieldRow.address}>
            <FormText
              form={form}
              name="host"
              hint={text.HOST_HINT}
              spellCheck={false}
              onBlur={() => {
                form.leave('host')
                setHost(form.values.host.trim())
              }}
            />
            <FormText form={form} name="port" inputMode="numeric" />
          </div>
          {!enrols && <TypeField form={form} />}
          {!enrols && <KeyField form={form} server={server} />}
          <FormText form={form} name="location" />
        </div>
        <div className={fieldRow.column}>
          <GroupsField form={form} first={server?.groupInfo ?? []} />
          <FormArea form={form} name="description" rows={3} />
        </div>
      </div>
      {!enrols && <AdapterPairs form={form} reported={reported} />}
    </FormDialog>
  )
}

interface FieldProps {
  form: Form<ServerValues>
}

const TYPE_CHOICES = SERVER_TYPES.map((type) => ({ value: type, label: type }))

function TypeField({ form }: FieldProps) {
  const { serverType } = form.values
  return (
    <FormSelect
      form={form}
      name="serverType"
      // There is no way back to no type.
      choices={
        serverType === '' ? [{ value: '', label: 'Choose …' }, ...TYPE_CHOICES] : TYPE_CHOICES
      }
      hint={serverType === '' ? '' : text.TYPE_HINTS[serverType]}
    />
  )
}

/** SRV-18: goes in and never comes out. */
function KeyField({ form, server }: FieldProps & { server: Server | null }) {
  const host = useHost('server', server?.id ?? '')
  const stored = server?.apiKeySet === true ? text.KEY_STORED : text.KEY_NONE
  return (
    <FormSecret
      form={form}
      name="apiKey"
      secret="API key"
      hint={server === null ? text.KEY_NEW : keyHint(host, stored)}
    />
  )
}

function GroupsField({ form, first }: FieldProps & { first: readonly GroupRef[] }) {
  const { rows, more, onType, known, isRead, isError } = useChoices(GROUPS, '')
  const [typed, setTyped] = useState('')
  // Those that the server is in are to be seen, wherever they stand among thousands.
  const isFirst = new Set(first.map(({ _id }) => _id))
  const others = rows.filter(({ _id }) => !isFirst.has(_id))
  const wanted = typed.toLocaleLowerCase('en')
  const kept = first.filter(({ title }) => title.toLocaleLowerCase('en').includes(wanted))
  const isListed = new Set([...first, ...rows].map(({ _id }) => _id))
  const found = form.values.groupIds.filter((id) => typed === '' && !isListed.has(id))
  const ticked = found.flatMap((id) => known(id) ?? [])
  const choices = [...kept, ...ticked, ...others].map(({ _id, title }) => ({
    value: _id,
    label: title,
  }))
  return (
    <Leaving onLeave={() => form.leave('groupIds')}>
      <ChoiceList
        label={SERVER_LABELS.groupIds}
        kind="many"
        choices={choices}
        more={more}
        onType={(next) => {
          setTyped(next)
          onType(next)
        }}
        chosen={form.values.groupIds}
        onChange={(groupIds) => form.set({ groupIds })}
        error={form.errorOf('groupIds')}
        emptyText={isError ? text.GROUPS_FAILED : isRead ? text.GROUPS_NONE : text.GROUPS_READING}
      />
    </Leaving>
  )
}
