import { Link } from '@tanstack/react-router'
import type { HopKind } from '@trunkline/contract/paths/path.schema'

export interface LinkedObject {
  kind: HopKind | 'server' | 'console'
  id: string
  title: string
  /** Where it is found; '' where that does not apply. */
  serverId: string
  groupId: string
  /** Of a feeder its encoder, of a push output its channel. */
  ownerId: string
}

/** To the object itself: its settings, its opened row or its detail; of the console, where it is seen to. */
export function ObjectLink({
  object: { kind, id, title, serverId, groupId, ownerId },
  className,
}: {
  object: LinkedObject
  className: string | undefined
}) {
  const common = { className, preload: false, title } as const
  switch (kind) {
    case 'server':
      return (
        <Link to="/dashboard/server" {...common}>
          {title}
        </Link>
      )
    case 'encoder':
      return (
        <Link to="/dashboard/edit_encoder/$id" params={{ id }} {...common}>
          {title}
        </Link>
      )
    case 'feeder':
      return (
        <Link
          to="/dashboard/edit_encoder/$id"
          params={{ id: ownerId }}
          search={{ tab: 'feeder', open: id }}
          {...common}
        >
          {title}
        </Link>
      )
    case 'input': {
      const params = { serverId, groupId, id }
      return (
        <Link to="/dashboard/$serverId/$groupId/contribution/$id" params={params} {...common}>
          {title}
        </Link>
      )
    }
    case 'output': {
      const params = { serverId, outputId: id }
      return (
        <Link to="/dashboard/$serverId/output_edit/$outputId" params={params} {...common}>
          {title}
        </Link>
      )
    }
    case 'channel':
    case 'push':
      return (
        <Link to="/dashboard/channel" search={{ open: kind === 'push' ? ownerId : id }} {...common}>
          {title}
        </Link>
      )
    case 'destination':
      return (
        <Link to="/dashboard/contribution" search={{ tab: 'destinations', open: id }} {...common}>
          {title}
        </Link>
      )
    case 'console':
      return id === 'sign-in' ? (
        <Link to="/dashboard/userManager" search={{ tab: 'activity' }} {...common}>
          {title}
        </Link>
      ) : (
        <Link to="/dashboard/server" {...common}>
          {title}
        </Link>
      )
  }
}
