/** The pages of an input and of an output: a new one, or one that is there. */
import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { ApiError } from '../../lib/api-error.ts'
import { fedByQuery, serverQuery, inputQuery } from './form.queries.ts'
import { inputValuesForFeeder, newInputValues, newOutputValues } from './link-values.rules.ts'
import { KnownLinkForm, NewLinkForm } from './LinkForm.tsx'
import { NotHere } from './NotHere.tsx'

const NEW_ID = 'new'

/** 'Contribution Config': how an input receives its stream; id 'new' makes one (IN-FORM-28). */
export function InputConfigPage() {
  const { id = '', serverId = '', groupId = '' } = useParams({ strict: false })
  return id === NEW_ID ? (
    <NewInput key={`${serverId} ${groupId}`} serverId={serverId} groupId={groupId} />
  ) : (
    <KnownLinkForm key={id} kind="input" id={id} />
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

/**
 * 'Output Configuration': where an output sends its input's stream; a new one is made for the input of
 * the address (OUT-FORM-20).
 */
export function OutputConfigPage() {
  const { id = '', outputId = '' } = useParams({ strict: false })
  return outputId === '' ? (
    <NewOutput key={id} inputId={id} />
  ) : (
    <KnownLinkForm key={outputId} kind="output" id={outputId} />
  )
}

/** Q157: an output runs where its input does, whatever the address says. */
function NewOutput({ inputId }: { inputId: string }) {
  const { data, error, refetch } = useQuery(inputQuery(inputId))
  const read = useMemo(() => ({ values: newOutputValues(inputId), version: null }), [inputId])
  if (data === undefined) {
    return <NotHere kind="output" missing="input" error={error} onRetry={() => void refetch()} />
  }
  return <NewLinkForm kind="output" read={read} serverId={data.serverId} />
}
