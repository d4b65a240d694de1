/** What the palette lists for what is typed: objects, then actions, then pages; a typed command before its objects. */
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useRole, useSession } from '../../lib/session.ts'
import { useTypedSearch } from '../../lib/typing.hook.ts'
import { ObjectActions, type ShowDialog } from './ActionOptions.tsx'
import { inOrderOf, objectsFor, objectsOf, type FoundObject } from './found-object.rules.ts'
import { ObjectOption } from './ObjectOptions.tsx'
import type { LineOf } from './Option.tsx'
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
  key: string
  /** Draws a line, or those that an object has. */
  draw: (lineOf: LineOf) => ReactNode
}

export interface LineGroup {
  title: string
  lines: readonly Line[]
}

export interface PaletteLines {
  groups: readonly LineGroup[]
  /** Below the list; '' for nothing to say. */
  note: string
  isSearching: boolean
}

/** All actions of the best match are listed, and the commands of the next ones; a typed action of more. */
const ACTED_ON = 3
const COMMANDED = 8
const OWN_NAMES = OWN_ACTIONS.map(({ label }) => label)

interface Shows {
  onShow: (dialog: ShellDialog) => void
  onDialog: ShowDialog
}

export function usePaletteLines(
  typedLine: string,
  { onShow, onDialog }: Shows,
): PaletteLines & { look: (line: string) => void } {
  const role = useRole()
  const typed = readTyped(typedLine, OWN_NAMES)
  const { objects, note, isSearching, look } = useObjects(typed)
  const { command, text } = typed
  const isEmpty = text === ''
  const actedOn = isEmpty ? [] : objects.slice(0, command === null ? ACTED_ON : COMMANDED)
  const named = <T extends { label: string }>(some: readonly T[]) =>
    command === null ? some.filter(({ label }) => isNamed(label, text)) : []
  const groups: LineGroup[] = [
    {
      title: isEmpty ? GROUP_TITLES.recent : GROUP_TITLES.objects,
      lines: objects.map((object) => ({
        key: object.key,
        draw: (lineOf) => (
          <ObjectOption {...lineOf(object.key)} object={object} onDialog={onDialog} />
        ),
      })),
    },
    {
      title: GROUP_TITLES.actions,
      lines: [
        ...actedOn.map((object, at) => ({
          key: `actions ${object.key}`,
          draw: (lineOf: LineOf) => (
            <ObjectActions
              object={object}
              wanted={command ?? (at === 0 ? 'all' : 'commands')}
              lineOf={lineOf}
              onDialog={onDialog}
            />
          ),
        })),
        ...(isEmpty ? [] : named(additionsFor(role))).map((addition) => ({
          key: addition.label,
          draw: (lineOf: LineOf) => (
            <AdditionOption {...lineOf(addition.label)} addition={addition} />
          ),
        })),
        ...(isEmpty ? [] : named(OWN_ACTIONS)).map((action) => ({
          key: action.label,
          draw: (lineOf: LineOf) => (
            <OwnActionOption {...lineOf(action.label)} action={action} onShow={onShow} />
          ),
        })),
      ],
    },
    {
      title: GROUP_TITLES.pages,
      lines: named(pagesFor(role)).map((page) => ({
        key: `page ${page.label}`,
        draw: (lineOf) => <PageOption {...lineOf(`page ${page.label}`)} page={page} />,
      })),
    },
  ]
  // Who typed a command wants it first, and the objects that it is for.
  if (command !== null) groups.unshift(...groups.splice(1, 1))
  const shown = groups.filter(({ lines }) => lines.length > 0)
  return {
    groups: shown,
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
  const look = (line: string) => ask(readTyped(line, OWN_NAMES).text)
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
