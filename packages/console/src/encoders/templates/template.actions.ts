/** What an operator does to templates: ask first where it must, call, say how it went. */
import { useIsMutating, useQueryClient } from '@tanstack/react-query'
import {
  addTemplate,
  removeTemplate,
  updateTemplate,
} from '@trunkline/contract/encoders/template.calls'
import type {
  EncoderTemplate,
  TemplateSettings,
} from '@trunkline/contract/encoders/template.schema'
import { call } from '../../lib/call.ts'
import { useConfirmedCall } from '../../lib/confirmed-call.hook.ts'
import { invalidateKind } from '../../lib/query-client.ts'
import { showToast } from '../../lib/toast.ts'
import * as text from './template.messages.ts'
import type { TemplateValues } from './template.rules.ts'

/** @returns saves settings under a title; rejects with an ApiError for the form to show */
export function useAddTemplate(settings: TemplateSettings) {
  const client = useQueryClient()
  return async (values: TemplateValues): Promise<void> => {
    const { data } = await call(addTemplate, { body: { ...values, settings } })
    showToast('success', text.ADDED, data.title)
    void invalidateKind(client, 'encoderTemplate')
  }
}

/** @returns gives a template another title; rejects with an ApiError for the form to show */
export function useRenameTemplate({ id }: EncoderTemplate) {
  const client = useQueryClient()
  return async (title: string, version: number | null): Promise<void> => {
    const body = { title, ...(version === null ? {} : { version }) }
    const { data } = await call(updateTemplate, { params: { id }, body })
    showToast('success', text.RENAMED, data.title)
    void invalidateKind(client, 'encoderTemplate')
  }
}

const MANAGED = ['encoderTemplate', 'manage']

/** Each asks, acts and says how it went; none throws. */
export function useManagedTemplates() {
  const confirmed = useConfirmedCall(
    MANAGED,
    (client) => void invalidateKind(client, 'encoderTemplate'),
  )
  return {
    isPending: useIsMutating({ mutationKey: MANAGED }) > 0,
    /** Against the version that was seen: what somebody else has saved since is not replaced unseen. */
    replace: async ({ id, title, version }: EncoderTemplate, settings: TemplateSettings) =>
      confirmed({
        sentences: text.replaceSentences(title),
        doLabel: 'Replace settings',
        keepLabel: 'Keep settings',
        interrupts: null,
        send: async () => call(updateTemplate, { params: { id }, body: { settings, version } }),
        done: text.REPLACED,
        failed: text.TRY_AGAIN,
        title,
      }),
    remove: async ({ id, title }: EncoderTemplate) =>
      confirmed({
        sentences: text.deleteSentences(title),
        doLabel: 'Delete template',
        keepLabel: 'Keep template',
        interrupts: null,
        send: async () => call(removeTemplate, { params: { id } }),
        done: text.DELETED,
        failed: text.TRY_AGAIN,
        title,
      }),
  }
}
