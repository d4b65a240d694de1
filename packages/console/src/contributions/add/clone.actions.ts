/** A second input, output or destination with the settings of this one. */
import { useQueryClient } from '@tanstack/react-query'
import { cloneDestination } from '@trunkline/contract/contributions/destination.calls'
import type { Destination } from '@trunkline/contract/contributions/destination.schema'
import { cloneInput } from '@trunkline/contract/contributions/input.calls'
import { cloneOutput } from '@trunkline/contract/contributions/output.calls'
import type { LinkCopy } from '@trunkline/contract/contributions/link.schema'
import { call } from '../../lib/call.ts'
import { invalidateKind } from '../../lib/query-client.ts'
import { showToast } from '../../lib/toast.ts'
import * as text from '../contribution.messages.ts'
import type { Link } from '../link.rules.ts'

/** @returns clones and says so; rejects with an ApiError for the form to show */
export function useCloneLink({ kind, id }: Link) {
  const client = useQueryClient()
  return async (body: LinkCopy): Promise<void> => {
    const params = { id }
    const isInput = kind === 'input'
    const { data } = await (isInput
      ? call(cloneInput, { params, body })
      : call(cloneOutput, { params, body }))
    showToast('success', isInput ? text.INPUT_ADDED : text.OUTPUT_ADDED, data.title)
    void invalidateKind(client, kind)
    // How many outputs it has stands with the input.
    if (!isInput) void invalidateKind(client, 'input')
  }
}

export function useCloneDestination({ id }: Destination) {
  const client = useQueryClient()
  return async (title: string): Promise<void> => {
    const { data } = await call(cloneDestination, { params: { id }, body: { title } })
    showToast('success', text.DESTINATION_ADDED, data.title)
    void invalidateKind(client, 'destination')
  }
}
