/** What an operator does to templates: ask first where it must, call, say how it went. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import {
  addTemplate,
  removeTemplate,
  updateTemplate,
} from '@trunkline/contract/encoders/template.calls'
import type {
  EncoderTemplate,
  TemplateSettings,
} from '@trunkline/contract/encoders/template.schema'
import { sentenceFor } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { askFirst } from '../../lib/confirm.ts'
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

/** Each asks, acts and says how it went; none throws. */
export function useManagedTemplates() {
  const client = useQueryClient()
  const { mutateAsync, isPending } = useMutation({
    mutationFn: async (act: () => Promise<unknown>) => act(),
  })
  const attempt = async (title: string, done: string, act: () => Promise<unknown>) => {
    try {
      await mutateAsync(act)
      showToast('success', done, title)
    } catch (error) {
      showToast('failure', sentenceFor(error, text.TRY_AGAIN), title)
    }
    await invalidateKind(client, 'encoderTemplate')
  }
  return {
    isPending,
    /** Against the version that was seen: what somebody else has saved since is not replaced unseen. */
    replace: async ({ id, title, version }: EncoderTemplate, settings: TemplateSettings) => {
      const isConfirmed = await askFirst({
        sentences: text.replaceSentences(title),
        doLabel: 'Replace settings',
        keepLabel: 'Keep settings',
      })
      if (!isConfirmed) return
      const body = { settings, version }
      await attempt(title, text.REPLACED, async () =>
        call(updateTemplate, { params: { id }, body }),
      )
    },
    remove: async ({ id, title }: EncoderTemplate) => {
      const isConfirmed = await askFirst({
        sentences: text.deleteSentences(title),
        doLabel: 'Delete template',
        keepLabel: 'Keep template',
      })
      if (!isConfirmed) return
      await attempt(title, text.DELETED, async () => call(removeTemplate, { params: { id } }))
    },
  }
}
