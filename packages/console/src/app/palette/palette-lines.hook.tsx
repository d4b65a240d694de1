/** What the palette lists for what is typed: objects, then actions, then pages; a typed command before its objects. */
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useRole, useSession } from '../../lib/session.ts'
import { useTypedSearch } from '../../lib/typing.hook.ts'
import { ActionOption } from './ActionOptions.tsx'
import { inOrderOf, objectsFor, objectsOf, type FoundObject } from './found-object.rules.ts'
import { ObjectOption } from './ObjectOptions.tsx'
import type { LineProps } from './Option.tsx'
import { actionsOn } from './palette-action.rules.ts'
import {
  GROUP_TITLES,
  moreMatch,
  nothingMatches,
  searchFailed,
  SEARCHING,
  TYPE_MORE,
} from './palette.messages.ts'
import { recentQuery, searchQuery } from './palette.queries.ts'
import { additionsFor, pagesFor } from './place.rules.ts'
import {
  AdditionOption,
  OWN_ACTIONS,
  OwnActionOption,
  PageOption,
  type ShellDialog,
} from './PlaceOptions.tsx'
import { recentKeys } from './recent.ts'
import { isNamed, isSearched, readTyped, type Typed } from './typed.rules.ts'

interface Line {
  /** The same for the same thing, whatever else is listed. */
  key: string
  draw: (props: LineProps) => ReactNode
}

export interface LineGroup {
  title: string
  lines: readonly Line[]
}

export interface PaletteLines {
  groups: readonly LineGroup[]
  /** Of the line that Enter chooses until somebody moves; '' for none. */
  firstKey: string
  /** Below the list; '' for nothing to say. */
  note: string
  isSearching: boolean
}

/** Actions are offered on so many objects, the best match first; on more where a command is typed. */
const ACTED_ON = 3
const COMMANDED = 8

export function usePaletteLines(
  typedLine: string,
  onShow: (dialog: ShellDialog) => void,
): PaletteLines & { look: (line: string) => void } {
  const role = useRole()
  const typed = readTyped(typedLine)
  const { objects, note, isSearching, look } = useObjects(typed)
  const { command, text } = typed
  const isEmpty = text === ''
  const actions = isEmpty
    ? []
    : objects
        .slice(0, command === null ? ACTED_ON : COMMANDED)
        .flatMap((object) => actionsOn(object, command, role).map((action) => ({ object, action })))
  const named = <T extends { label: string }>(some: readonly T[]) =>
    command === null ? some.filter(({ label }) => isNamed(label, text)) : []
  const groups: LineGroup[] = [
    {
      title: isEmpty ? GROUP_TITLES.recent : GROUP_TITLES.objects,
      lines: objects.map((object) => ({
        key: object.key,
        draw: (line) => <ObjectOption {...line} object={object} />,
      })),
    },
    {
      title: GROUP_TITLES.actions,
      lines: [
        ...actions.map(({ object, action }) => ({
          key: `${action} ${object.key}`,
          draw: (line: LineProps) => <ActionOption {...line} object={object} action={action} />,
        })),
        ...(isEmpty ? [] : named(additionsFor(role))).map((addition) => ({
          key: addition.label,
          draw: (line: LineProps) => <AdditionOption {...line} addition={addition} />,
        })),
        ...(isEmpty ? [] : named(OWN_ACTIONS)).map((action) => ({
          key: action.label,
          draw: (line: LineProps) => <OwnActionOption {...line} action={action} onShow={onShow} />,
        })),
      ],
    },
    {
      title: GROUP_TITLES.pages,
      lines: named(pagesFor(role)).map((page) => ({
        key: `page ${page.label}`,
        draw: (line) => <PageOption {...line} page={page} />,
      })),
    },
  ]
  // Who typed a command wants it first, and the objects that it is for.
  if (command !== null) groups.unshift(...groups.splice(1, 1))
  const shown = groups.filter(({ lines }) => lines.length > 0)
  return {
    groups: shown,
    firstKey: shown[0]?.lines[0]?.key ?? '',
    note: note === '' && shown.length === 0 ? nothingMatches(text) : note,
    isSearching,
    look,
  }
}

interface Objects {
  objects: readonly FoundObject[]
  note: string
  isSearching: boolean
  look: (line: string) => void
}

function useObjects({ text }: Typed): Objects {
  const [asked, ask] = useTypedSearch()
  const found = useQuery(searchQuery(asked))
  const userId = useSession()?.user._id ?? ''
  const [keys] = useState(() => recentKeys(userId))
  const recent = useQuery(recentQuery(keys))
  const look = (line: string) => ask(readTyped(line).text)
  if (text === '') {
    const objects = recent.data === undefined ? [] : inOrderOf(keys, objectsOf(recent.data))
    return { objects, note: '', isSearching: false, look }
  }
  if (!isSearched(text)) return { objects: [], note: TYPE_MORE, isSearching: false, look }
  const answer = found.data
  const isAnswer = answer?.text === text && !found.isPlaceholderData
  const isFailed = found.isError && asked === text
  const objects = answer === undefined ? [] : objectsFor(text, objectsOf(answer.data), isAnswer)
  return {
    objects,
    note: isFailed
      ? searchFailed(found.error)
      : isAnswer
        ? answer.more > 0
          ? moreMatch(answer.more)
          : ''
        : SEARCHING,
    isSearching: !isAnswer && !isFailed,
    look,
  }
}
