/** Port and multicast group: what the API knows to be free is filled in or offered (IN-FORM-11, OUT-FORM-08). */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Button } from '../../ui/Button.tsx'
import { NEXT_FREE, portTaken } from './form.messages.ts'
import { nextGroupQuery, nextPortQuery } from './form.queries.ts'
import { NumberField, TextField } from './LinkFields.tsx'
import type { LinkForm } from './link-form.hook.ts'
import { FEEDER_PORT } from './link-state.rules.ts'

export function GroupField({ form }: { form: LinkForm }) {
  const { fields } = form.state.values
  const isLocal = fields['inputType'] === 'Local'
  const { data, refetch, isFetching } = useQuery(
    nextGroupQuery(fields['serverId'], form.isNew && !isLocal),
  )
  const { take } = form
  useOffer(data, (group) => take({ step: 'offer', name: 'config.multicast', text: group }))
  const get = async () => {
    const { data: group } = await refetch()
    if (group !== undefined) take({ step: 'edit', name: 'config.multicast', text: group })
  }
  return (
    <TextField
      form={form}
      name="config.multicast"
      right={
        isLocal ? undefined : (
          <Button
            size={28}
            disabledReason={isFetching || fields['serverId'] === '' ? '' : null}
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
  const { fields } = form.state.values
  const { kind, known, isNew, faults } = form
  const isListening = fields['config.mode'] === 'Listen' && fields['inputType'] !== 'Local'
  const hasChanged = form.state.base.fields['config.mode'] !== fields['config.mode']
  const isFaulty = 'config.port' in faults && form.faultAt('config.port') !== ''
  const serverId = kind === 'input' ? fields['serverId'] : (known.server?._id ?? '')
  const isWanted = isListening && (isNew || hasChanged || isFaulty)
  const { data, refetch } = useQuery(nextPortQuery(serverId, isWanted))
  const { take } = form
  const isFilledIn = kind === 'output' && isListening
  useOffer(isFilledIn ? data : undefined, (port) =>
    take({ step: 'offer', name: 'config.port', text: port }),
  )
  useAskedAnew(isFaulty && isWanted, () => void refetch())
  const port = fields['config.port']
  // The lowest free one is another: what this type begins with is taken.
  const isTakenDefault = isNew && fields['inputType'] === 'aCANFeeder' && port === FEEDER_PORT
  const isAsked = isFaulty || port === '' || hasChanged || isTakenDefault
  const isOffered = isWanted && data !== undefined && data !== port && isAsked
  const free = isFilledIn && data === port ? NEXT_FREE : ''
  const taken = isOffered && isTakenDefault ? portTaken(port, data) : ''
  return (
    <NumberField
      form={form}
      name="config.port"
      {...(free + taken === '' ? {} : { hint: free + taken })}
      right={
        isOffered ? (
          <Button size={28} onClick={() => take({ step: 'edit', name: 'config.port', text: data })}>
            Use {data}
          </Button>
        ) : undefined
      }
    />
  )
}

/** Each offer is taken once: what the operator clears stays clear. */
function useOffer(offered: string | undefined, take: (offered: string) => void) {
  const taken = useRef<string | undefined>(undefined)
  useEffect(() => {
    if (offered === undefined || taken.current === offered) return
    taken.current = offered
    take(offered)
  }, [offered, take])
}

/** A port that was offered, and is taken now, is no offer any more. */
function useAskedAnew(isFaulty: boolean, ask: () => void) {
  const asked = useRef(false)
  useEffect(() => {
    if (isFaulty && !asked.current) ask()
    asked.current = isFaulty
  }, [isFaulty, ask])
}
