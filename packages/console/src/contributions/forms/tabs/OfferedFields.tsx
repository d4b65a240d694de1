/** Port and multicast group: what the API knows to be free is filled in or offered (IN-FORM-11, OUT-FORM-08). */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { FormField } from '../../../forms/FormField.tsx'
import { Button } from '../../../ui/button/Button.tsx'
import { NEXT_FREE, portTaken } from '../form.messages.ts'
import { nextGroupQuery, nextPortQuery } from '../form.queries.ts'
import type { FieldName } from '../link-field.rules.ts'
import type { LinkForm } from '../link-form.hook.ts'
import { FEEDER_PORT } from '../link-form.rules.ts'

export function GroupField({ form }: { form: LinkForm }) {
  const { inputType, serverId } = form.state.values
  const isLocal = inputType === 'Local'
  const { data, refetch, isFetching } = useQuery(nextGroupQuery(serverId, form.isNew && !isLocal))
  useOffer(form, 'config.multicast', data)
  const get = async () => {
    const { data: group } = await refetch()
    if (group === undefined) return
    form.take({ step: 'edit', change: { 'config.multicast': group } })
  }
  return (
    <FormField
      form={form}
      name="config.multicast"
      right={
        isLocal ? undefined : (
          <Button
            size={28}
            disabledReason={isFetching || serverId === '' ? '' : null}
            aria-label="Get a free multicast group"
            onClick={() => void get()}
          >
            Get
          </Button>
        )
      }
    />
  )
}

/** A port to listen at: filled in for an output, offered where one stands already or is taken. */
export function PortField({ form }: { form: LinkForm }) {
  const { isNew, context, state } = form
  const { kind, inputType, 'config.mode': mode, 'config.port': port } = state.values
  const isListening = mode === 'Listen' && inputType !== 'Local'
  const hasChanged = state.base['config.mode'] !== mode
  const isFaulty = form.faultAt('config.port') !== ''
  const serverId = kind === 'input' ? state.values.serverId : (context.server?._id ?? '')
  const isWanted = isListening && (isNew || hasChanged || isFaulty)
  const { data, refetch } = useQuery(nextPortQuery(serverId, isWanted))
  const isFilledIn = kind === 'output' && isListening
  useOffer(form, 'config.port', isFilledIn ? data : undefined)
  useAskedAnew(isFaulty && isWanted, () => void refetch())
  // The lowest free one is another: what this type begins with is taken.
  const isTakenDefault = isNew && inputType === 'aCANFeeder' && port === FEEDER_PORT
  const isAsked = isFaulty || port === '' || hasChanged || isTakenDefault
  const isOffered = isWanted && data !== undefined && data !== port && isAsked
  const free = isFilledIn && data === port ? NEXT_FREE : ''
  const taken = isOffered && isTakenDefault ? portTaken(port, data) : ''
  return (
    <FormField
      form={form}
      name="config.port"
      {...(free + taken === '' ? {} : { hint: free + taken })}
      right={
        isOffered ? (
          <Button
            size={28}
            onClick={() => form.take({ step: 'edit', change: { 'config.port': data } })}
          >
            Use {data}
          </Button>
        ) : undefined
      }
    />
  )
}

/** Each offer is taken once: what the operator clears stays clear. */
function useOffer({ take }: LinkForm, name: FieldName, offered: string | undefined) {
  const taken = useRef<string | undefined>(undefined)
  useEffect(() => {
    if (offered === undefined || taken.current === offered) return
    taken.current = offered
    take({ step: 'offer', change: { [name]: offered } })
  }, [offered, name, take])
}

/** A port that was offered, and is taken now, is no offer any more. */
function useAskedAnew(isFaulty: boolean, ask: () => void) {
  const asked = useRef(false)
  useEffect(() => {
    if (isFaulty && !asked.current) ask()
    asked.current = isFaulty
  }, [isFaulty, ask])
}
