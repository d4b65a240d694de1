/** 'Contribution Config': how an input receives its stream; id 'new' makes one (IN-FORM-28). */
import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { ApiError } from '../../lib/api-error.ts'
import { linkOfInput } from '../link.rules.ts'
import { fedByQuery, inputQuery, serverQuery } from './form.queries.ts'
import { inputValuesForFeeder, newInputValues, readOf } from './link-values.rules.ts'
import { KnownLinkForm, NewLinkForm } from './LinkForm.tsx'
import { NotHere } from './NotHere.tsx'

export const NEW_ID = 'new'

export function InputConfigPage() {
  const { id = '', serverId = '', groupId = '' } = useParams({ strict: false })
  return id === NEW_ID ? (
    <NewInput key={`${serverId} ${groupId}`} serverId={serverId} groupId={groupId} />
  ) : (
    <KnownInput key={id} id={id} />
  )
}

/** IN-FORM-23: a server that is not there is none. */
function NewInput({ serverId, groupId }: { serverId: string; groupId: string }) {
  const { encoder = '', feeder = '' }: { encoder?: string; feeder?: string } = useSearch({
    strict: false,
  })
  const { isSuccess, isError, error, refetch } = useQuery(serverQuery(serverId))
  const isGone = error instanceof ApiError && error.status === 404
  if (!isSuccess && !isGone) {
    return <NotHere kind="input" error={isError ? error : null} onRetry={() => void refetch()} />
  }
  const place = { serverId: isGone ? '' : serverId, groupId }
  return encoder === '' ? (
    <StartedInput {...place} />
  ) : (
    <InputForFeeder {...place} encoderId={encoder} name={feeder} />
  )
}

interface Place {
  serverId: string
  groupId: string
}

function StartedInput({ serverId, groupId }: Place) {
  const read = useMemo(
    () => ({ values: newInputValues(serverId, groupId), version: null }),
    [serverId, groupId],
  )
  return <NewLinkForm kind="input" read={read} serverId={serverId} />
}

interface FeederProps extends Place {
  encoderId: string
  name: string
}

/** The input that receives this feeder of ours, filled in. */
function InputForFeeder({ serverId, groupId, encoderId, name }: FeederProps) {
  const { data, error, refetch } = useQuery(fedByQuery(encoderId))
  const feeder = data?.config?.feeder.find((item) => item.name === name)
  const read = useMemo(() => {
    if (feeder === undefined) return null
    return { values: inputValuesForFeeder({ serverId, groupId }, encoderId, feeder), version: null }
  }, [serverId, groupId, encoderId, feeder])
  if (read !== null) return <NewLinkForm kind="input" read={read} serverId={serverId} />
  const missing = data === undefined ? error : 'not-there'
  return <NotHere kind="input" missing="feeder" error={missing} onRetry={() => void refetch()} />
}

function KnownInput({ id }: { id: string }) {
  // A form over what is known from before would be told at once that somebody saved since.
  const { data, error, refetch, isFetchedAfterMount } = useQuery({
    ...inputQuery(id),
    refetchOnMount: 'always',
  })
  const read = useMemo(() => (data === undefined ? null : readOf(data)), [data])
  if (data === undefined || read === null || !isFetchedAfterMount) {
    return <NotHere kind="input" error={error} onRetry={() => void refetch()} />
  }
  return (
    <KnownLinkForm
      kind="input"
      read={read}
      serverId={data.serverId}
      link={linkOfInput(data)}
      isGone={error instanceof ApiError && error.status === 404}
    />
  )
}
