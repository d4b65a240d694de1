/** Makes codes and revokes certificates: ask first where it must, call, say how it went. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  addEnrolmentCode,
  readEnrolment,
  revokeEnrolment,
} from '@trunkline/contract/enrolment/enrolment.calls'
import type { HostEnrolment } from '@trunkline/contract/enrolment/enrolment.schema'
import type { HostKind } from '@trunkline/contract/fleet/fleet.schema'
import { useState } from 'react'
import { sentenceFor } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { askFirst } from '../../lib/confirm.ts'
import { showToast } from '../../lib/toast.ts'
import * as text from './enrolment.messages.ts'

export interface EnrolledObject {
  kind: HostKind
  id: string
  title: string
}

/** While a code is good, or a certificate not used yet: it turns by itself. */
const LOOK_MS = 1000

function keyOf({ kind, id }: EnrolledObject) {
  return ['enrolment', kind, id] as const
}

/** How the host stands; read again each second while something is awaited. */
export function useEnrolment(object: EnrolledObject) {
  const { kind, id } = object
  return useQuery({
    queryKey: keyOf(object),
    queryFn: async ({ signal }) =>
      (await call(readEnrolment, { params: { kind, id }, signal })).data,
    refetchInterval: ({ state: { data } }) => (isAwaited(data) ? LOOK_MS : false),
    staleTime: 0,
    gcTime: 0,
  })
}

function isAwaited(data: HostEnrolment | undefined): boolean {
  return data !== undefined && (data.codeEndsInMs !== null || data.security === 'waiting')
}

export interface EnrolmentActions {
  /** As it was shown once; '' for none. */
  code: string
  isBusy: boolean
  makeCode: () => Promise<void>
  revoke: () => Promise<void>
}

export function useEnrolmentActions(object: EnrolledObject): EnrolmentActions {
  const client = useQueryClient()
  const [code, setCode] = useState('')
  const [isBusy, setBusy] = useState(false)
  const { kind, id, title } = object
  const attempt = async (failed: string, work: () => Promise<HostEnrolment>) => {
    setBusy(true)
    try {
      client.setQueryData(keyOf(object), await work())
      return true
    } catch (error) {
      showToast('failure', sentenceFor(error, failed), title)
      return false
    } finally {
      setBusy(false)
    }
  }
  const makeCode = async () => {
    await attempt(text.CODE_FAILED, async () => {
      const made = await call(addEnrolmentCode, { params: { kind, id } })
      setCode(made.code)
      return made.data
    })
  }
  const revoke = async () => {
    const isConfirmed = await askFirst({
      sentences: text.revokeSentences(title),
      doLabel: 'Revoke certificate',
      keepLabel: 'Keep certificate',
    })
    if (!isConfirmed) return
    const isRevoked = await attempt(text.REVOKE_FAILED, async () => {
      return (await call(revokeEnrolment, { params: { kind, id } })).data
    })
    if (isRevoked) showToast('success', text.REVOKED, title)
  }
  return { code, isBusy, makeCode, revoke }
}
