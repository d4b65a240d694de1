/**
 * Which record was changed: the live stream, the host links and the session cache listen. On
 * PostgreSQL the other API processes hear it too (db/notice-channel.ts). Tell after the transaction
 * is committed, never inside it.
 */
import type { ObjectKind } from '@trunkline/contract/fleet/fleet.schema'

export interface ObjectNotice {
  readonly kind: ObjectKind
  /**
   * '': any of this kind; used for several at once, and after some notices may have been missed.
   */
  readonly id: string
  readonly change: 'added' | 'changed' | 'removed'
  /** Groups whose people see this object, before or after the change. */
  readonly groupIds: readonly string[]
  /** What hosts are to run of it, and who sees that, is as before: nobody has to read it again. */
  readonly keepsPrograms?: true
}
/** This user's sessions were revoked. */
interface GoneNotice {
  readonly kind: 'gone'
  readonly userId: string
}
/** These alarms were raised, changed or cleared; none: any of them. */
interface AlarmNotice {
  readonly kind: 'alarms'
  readonly ids: readonly string[]
}
/**
 * Since when what open alarms say is over (milliseconds since 1970), null where it is not any more: seen
 * by the process that looks after their objects, and not stored.
 */
interface AlarmsOverNotice {
  readonly kind: 'alarmsOver'
  readonly alarms: readonly { readonly id: string; readonly sinceMs: number | null }[]
}
/** Some of those may have been missed: whoever looks after such objects says it again. */
interface AlarmsOverAskedNotice {
  readonly kind: 'alarmsOverAsked'
}
/** Something was put on air or taken off it. */
interface OnAirNotice {
  readonly kind: 'onAir'
}
/** The host at this address was enrolled, renewed or revoked; null: any of them. */
interface IdentityNotice {
  readonly kind: 'hostIdentity'
  readonly address: { readonly host: string; readonly port: number } | null
}
/** From where the host at this address was linked last. */
interface NetworkNotice {
  readonly kind: 'hostNetwork'
  readonly address: { readonly host: string; readonly port: number }
  readonly network: string
}
export type Notice =
  | ObjectNotice
  | GoneNotice
  | AlarmNotice
  | AlarmsOverNotice
  | AlarmsOverAskedNotice
  | OnAirNotice
  | IdentityNotice
  | NetworkNotice

export interface Notices {
  tell(notice: Notice): void
  /** Answers the function that ends listening. */
  listen(listener: (notice: Notice) => void): () => void
  /** Whether what other processes tell is heard at this moment. */
  hearsOthers(): boolean
}

/**
 * `onFault` gets what a listener threw: one faulty listener must not keep the others from hearing.
 */
export function createNotices(onFault: (error: unknown) => void): Notices {
  const listeners = new Set<(notice: Notice) => void>()
  return {
    tell(notice) {
      for (const listener of listeners) {
        try {
          listener(notice)
        } catch (error) {
          onFault(error)
        }
      }
    },
    listen(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    hearsOthers: () => true,
  }
}
