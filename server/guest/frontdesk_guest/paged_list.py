"""Lists of the conversation. A short one came with the call; of a long one the last items did, and others are read by page."""

import operator

from sealed_guest import channel
from sealed_guest.json_values import decode, decode_text, encode

_native = list


def open_list(sent, adopt):
    """
    The list that came as `(number, [count, first], last_items)`: the host's number for it, its length, and JSON of the items from `first`
    on. `adopt` makes a model of the JSON of an item.
    """
    number, (count, first), last_items = sent
    if first == 0:
        return [adopt(item) for item in decode(last_items)]
    return PagedList(number, count, first, last_items, adopt)


def contents_for_host(items, given, last_items):
    """
    JSON of the list `items`. `[from, to]` stands for items of the `given` list that are as they came, in their order; others are whole.
    `given` is what `open_list` made, or its items; None: nobody looked.
    """
    if isinstance(given, PagedList):
        return given.for_host(items)
    if isinstance(items, PagedList):
        items = [*items]
    originals = decode(last_items) if given else []
    indices = {id(item): index for index, item in enumerate(given or [])}
    return _runs(((item, indices.get(id(item))) for item in items), lambda index: _is_edited(given[index], originals[index]))


def _runs(items, is_edited):
    """`items` are pairs of an item and its index in the list that came, None for others."""
    runs = []
    for item, index in items:
        if index is None or is_edited(index):
            runs.append(None if type(item) in (_native, tuple) else item)  # lists mean runs
        elif runs and type(runs[-1]) is _native and runs[-1][1] == index:
            runs[-1][1] += 1
        else:
            runs.append([index, index + 1])
    return runs


def _is_edited(item, original):
    return bool(item.__dict__) and encode(item) != encode(original)


class _Unread:
    """The place of an item that nobody has looked at, in a list that was changed."""

    __slots__ = ("index",)

    def __init__(self, index):
        self.index = index


class PagedList(list):
    """
    A list of models. Its last items came with the call, others are read when code asks for them, with their neighbours. Looking costs what is
    looked at; the first change makes a place for every item, without reading one.
    """

    __slots__ = ("_number", "_count", "_first", "_last_items", "_sources", "_texts", "_items", "_adopt", "_changed")

    def __init__(self, number, count, first, last_items, adopt):
        super().__init__()
        self._number = number  # by which the host knows the list
        self._count = count
        self._first = first
        self._last_items = last_items  # JSON of the items from the first on
        self._sources = decode(last_items)
        self._texts = {}  # JSON of the items that were read, by index
        self._items = {}  # what was made of items
        self._adopt = adopt
        self._changed = False  # whether the items are in the native list, or its places

    def _item(self, index):
        """The item that came at this index."""
        item = self._items.get(index)
        if item is None:
            item = self._items[index] = self._adopt(self._source(index))
        return item

    def _source(self, index):
        if index >= self._first:
            return self._sources[index - self._first]
        if index not in self._texts:
            backwards = index + 1 in self._texts or index + 1 == self._first
            page = channel.read_list(self._number, index, backwards)
            self._texts.update(enumerate(page["items"], page["first"]))
        return decode_text(self._texts[index])

    def _read(self, place):
        return self._item(place.index) if type(place) is _Unread else place

    def _change(self):
        if not self._changed:
            super().extend(self._items.get(index) or _Unread(index) for index in range(self._count))
            self._changed = True

    def _read_all(self):
        """The native list holds all items."""
        self._change()
        super().__setitem__(slice(None), [self._read(place) for place in super().__iter__()])

    def __len__(self):
        return super().__len__() if self._changed else self._count

    def __getitem__(self, key):
        if self._changed:
            found = super().__getitem__(key)
            return [self._read(place) for place in found] if isinstance(key, slice) else self._read(found)
        if isinstance(key, slice):
            return [self._item(index) for index in range(*key.indices(self._count))]
        index = operator.index(key)
        if not -self._count <= index < self._count:
            raise IndexError("list index out of range")
        return self._item(index % self._count)

    def __iter__(self):
        index = 0
        while index < len(self):
            yield self[index]
            index += 1

    def __reversed__(self):
        for index in range(len(self) - 1, -1, -1):
            yield self[index]

    def pop(self, index=-1):
        self._change()
        return self._read(super().pop(index))

    def __contains__(self, value):
        return any(item is value or item == value for item in self)

    def __eq__(self, other):
        if not isinstance(other, list):
            return NotImplemented
        return self is other or len(self) == len(other) and all(one == another for one, another in zip(self, other))

    def __ne__(self, other):
        equal = self.__eq__(other)
        return equal if equal is NotImplemented else not equal

    __hash__ = None

    def __add__(self, other):
        return [*self] + other

    def __radd__(self, other):
        return other + [*self]

    def __mul__(self, count):
        return [*self] * count

    __rmul__ = __mul__

    def __repr__(self):
        return repr([*self])

    def __copy__(self):
        return [*self]

    copy = __copy__

    def __deepcopy__(self, memo):
        from copy import deepcopy

        return [deepcopy(item, memo) for item in self]

    def __reduce_ex__(self, _protocol):
        return list, ([*self],)

    def for_host(self, items):
        """What `contents_for_host` says of a list that was made of this one."""
        if items is self and not self._changed:
            runs, start = [], 0
            for index in sorted(self._items):
                if self._is_edited(index):
                    runs += [[start, index], self._items[index]]
                    start = index + 1
            return [run for run in [*runs, [start, self._count]] if type(run) is not _native or run[0] < run[1]]
        if isinstance(items, PagedList) and items is not self:
            items = [*items]
        indices = {id(item): index for index, item in self._items.items()}
        return _runs((self._found(place, indices) for place in _native.__iter__(items)), self._is_edited)

    def _found(self, place, indices):
        """The item of a place and its index; code may have read, and edited, what the place has not."""
        if type(place) is _Unread:
            return self._items.get(place.index), place.index
        return place, indices.get(id(place))

    def _is_edited(self, index):
        item = self._items.get(index)
        return item is not None and _is_edited(item, self._original(index))

    def _original(self, index):
        """The JSON of an item as it came; what the item was made of is shared with code."""
        if index < self._first:
            return decode_text(self._texts[index])
        return decode(self._last_items)[index - self._first]


def _after(prepare, name):
    native = getattr(list, name)

    def method(self, *positional, **keyword):
        prepare(self)
        return native(self, *positional, **keyword)

    method.__name__ = name
    return method


for _name in ("append", "extend", "insert", "clear", "__setitem__", "__delitem__", "__iadd__"):
    setattr(PagedList, _name, _after(PagedList._change, _name))
for _name in ("remove", "sort", "reverse", "index", "count", "__imul__", "__lt__", "__le__", "__gt__", "__ge__"):
    setattr(PagedList, _name, _after(PagedList._read_all, _name))
