/** 'Clone input', 'Clone output', 'Clone destination': what the copy has of its own, and one step to make it. */
import { useQuery } from '@tanstack/react-query'
import type { Destination } from '@trunkline/contract/contributions/destination.schema'
import { LinkCopy } from '@trunkline/contract/contributions/link.schema'
import { FormText } from '../../forms/DialogFields.tsx'
import { type Form, useForm } from '../../forms/form.hook.ts'
import { copyTitle } from '../../shared/copy-title.rules.ts'
import { fieldFaults } from '../../forms/field-faults.rules.ts'
import { FormDialog } from '../../forms/FormDialog.tsx'
import { useCloneDestination, useCloneLink } from '../contribution.actions.ts'
import * as text from '../contribution.messages.ts'
import { CLONE, CLONE_LEAD, CLONE_PORT } from './clone.messages.ts'
import { nextPortQuery } from '../forms/form.queries.ts'
import type { Link } from '../link.rules.ts'
import { Lead } from '../../ui/dialog/Dialog.tsx'

interface LinkCopyValues {
  title: string
  /** As typed; null takes what is proposed. Named as the API names it. */
  'config.port': string | null
}

interface CloneLinkDialogProps {
  /** As it was when the dialog was opened. */
  link: Link
  onClose: () => void
}

export function CloneLinkDialog({ link, onClose }: CloneLinkDialogProps) {
  const { kind, title, type, config, serverId } = link
  const isLocal = type === 'Local'
  const isListening = !isLocal && config.mode === 'Listen'
  const { data: free = '' } = useQuery(nextPortQuery(serverId, isListening))
  const proposed = isListening ? free : String(link.port)
  const clone = useCloneLink(link)
  const form = useForm<LinkCopyValues>({
    initial: { title: copyTitle(title), 'config.port': null },
    version: null,
    check: (values) => checkCopy(values, proposed),
    save: async (values) => {
      const { title: typed, port } = copyOf(values, proposed)
      await clone({
        title: typed.trim(),
        ...(isLocal || port === '' ? {} : { port: Number(port) }),
      })
    },
    onSaved: onClose,
    keptAs: ['clone', kind, link.id],
    labels: CLONE_LABELS,
    fallback: kind === 'input' ? text.INPUT_ADD_FAILED : text.OUTPUT_ADD_FAILED,
  })
  return (
    <FormDialog
      title={CLONE[kind]}
      subtitle={title}
      width={440}
      form={form}
      saveLabel={CLONE[kind]}
      onClose={onClose}
    >
      <Lead>{CLONE_LEAD[isLocal ? 'localInput' : kind]}</Lead>
      <FormText form={form} name="title" data-autofocus />
      {!isLocal && <PortField form={form} proposed={proposed} isListening={isListening} />}
    </FormDialog>
  )
}

interface PortFieldProps {
  form: Form<LinkCopyValues>
  proposed: string
  isListening: boolean
}

function PortField({ form, proposed, isListening }: PortFieldProps) {
  const typed = form.values['config.port']
  const { calling, listening, typed: chosen } = CLONE_PORT
  return (
    <FormText
      form={form}
      name="config.port"
      inputMode="numeric"
      shown={typed ?? proposed}
      hint={isListening ? (typed === null && proposed !== '' ? listening : chosen) : calling}
    />
  )
}

function copyOf(values: LinkCopyValues, proposed: string) {
  return { title: values.title, port: (values['config.port'] ?? proposed).trim() }
}

const LABELS = { title: 'Title', port: 'Port' } as const
const CLONE_LABELS = { title: 'Title', 'config.port': 'Port' } as const

/** Without a port the API takes a free one, so an empty field is well until one is typed. */
function checkCopy(values: LinkCopyValues, proposed: string) {
  const { title, port } = copyOf(values, proposed)
  const typed = port === '' && values['config.port'] === null ? {} : { port: Number(port) }
  const faults = fieldFaults(LinkCopy, { title, ...typed }, LABELS)
  return {
    ...(title.trim() === '' ? { title: text.FIELD_REQUIRED } : {}),
    ...(faults.title === undefined || title.trim() === '' ? {} : { title: faults.title }),
    ...(faults.port === undefined ? {} : { 'config.port': faults.port }),
  }
}

interface CloneDestinationDialogProps {
  destination: Destination
  onClose: () => void
}

export function CloneDestinationDialog({ destination, onClose }: CloneDestinationDialogProps) {
  const clone = useCloneDestination(destination)
  const form = useForm({
    initial: { title: copyTitle(destination.title) },
    version: null,
    check: (values) => {
      if (values.title.trim() === '') return { title: text.FIELD_REQUIRED }
      return fieldFaults(LinkCopy, values, { title: LABELS.title })
    },
    save: async (values) => clone(values.title.trim()),
    onSaved: onClose,
    keptAs: ['clone', 'destination', destination.id],
    labels: CLONE_LABELS,
    fallback: text.DESTINATION_FAILED,
  })
  return (
    <FormDialog
      title="Clone destination"
      subtitle={destination.title}
      width={440}
      form={form}
      saveLabel="Clone destination"
      onClose={onClose}
    >
      <Lead>{CLONE_LEAD.destination}</Lead>
      <FormText form={form} name="title" data-autofocus />
    </FormDialog>
  )
}
