#include "face/method_nature.hpp"

#include <algorithm>
#include <array>

#include "telegram/request_params.hpp"

namespace tgkeep::face {

namespace {

using namespace std::string_view_literals;

// A query counts once, so a second answer changes nothing.
constexpr std::array kUrgent{"answerCallbackQuery"sv, "answerPreCheckoutQuery"sv, "answerShippingQuery"sv,
                             "answerInlineQuery"sv};

constexpr std::array kOtherAnswers{"answerChatJoinRequestQuery"sv, "approveChatJoinRequest"sv,
                                   "declineChatJoinRequest"sv};

// What is there is replaced by what the call says. Left out: what shows a service message each time
// (setChatTitle, setChatPhoto, editForumTopic …), adds a picture to a history (set…ProfilePhoto), moves money
// or gifts, or edits a score.
constexpr std::array kReplacing{
    "setMyCommands"sv,
    "setMyName"sv,
    "setMyDescription"sv,
    "setMyShortDescription"sv,
    "setMyDefaultAdministratorRights"sv,
    "setChatMenuButton"sv,
    "setChatDescription"sv,
    "setChatPermissions"sv,
    "setChatStickerSet"sv,
    "setChatAdministratorCustomTitle"sv,
    "setChatMemberTag"sv,
    "setMessageReaction"sv,
    "setPassportDataErrors"sv,
    "setUserEmojiStatus"sv,
    "setManagedBotAccessSettings"sv,
    "setStickerEmojiList"sv,
    "setStickerKeywords"sv,
    "setStickerMaskPosition"sv,
    "setStickerPositionInSet"sv,
    "setStickerSetTitle"sv,
    "setCustomEmojiStickerSetThumbnail"sv,
    "setBusinessAccountName"sv,
    "setBusinessAccountUsername"sv,
    "setBusinessAccountBio"sv,
    "setBusinessAccountGiftSettings"sv,
    "restrictChatMember"sv,
    "promoteChatMember"sv,
    "banChatMember"sv,
    "banChatSenderChat"sv,
    "unbanChatSenderChat"sv,
    "verifyChat"sv,
    "verifyUser"sv,
    "removeChatVerification"sv,
    "removeUserVerification"sv,
    "readBusinessMessage"sv,
};

// What is gone stays gone. Left out: what takes away "the current one", of which there may be a next
// (unpinChatMessage, remove…ProfilePhoto), and what throws a member out who may have come back
// (unbanChatMember).
constexpr std::array kTakingAway{
    "deleteMessage"sv,
    "deleteMessages"sv,
    "deleteBusinessMessages"sv,
    "deleteEphemeralMessage"sv,
    "deleteMessageReaction"sv,
    "deleteAllMessageReactions"sv,
    "deleteMyCommands"sv,
    "deleteChatStickerSet"sv,
    "deleteStickerFromSet"sv,
    "deleteStickerSet"sv,
    "deleteForumTopic"sv,
    "deleteStory"sv,
    "unpinAllChatMessages"sv,
    "unpinAllForumTopicMessages"sv,
    "unpinAllGeneralForumTopicMessages"sv,
};

// The message has the content of the call already, and no later call of its chat has been sent.
constexpr std::array kEditing{
    "editMessageText"sv,
    "editMessageCaption"sv,
    "editMessageMedia"sv,
    "editMessageReplyMarkup"sv,
    "editMessageChecklist"sv,
    "editMessageLiveLocation"sv,
    "editEphemeralMessageText"sv,
    "editEphemeralMessageCaption"sv,
    "editEphemeralMessageMedia"sv,
    "editEphemeralMessageReplyMarkup"sv,
    "editStory"sv,
};

// Seen for some seconds, and replaced by the next of its kind.
constexpr std::array kPassing{"sendChatAction"sv, "sendMessageDraft"sv, "sendRichMessageDraft"sv};

template <class Names>
bool holds(const Names& names, std::string_view method) noexcept {
  return std::ranges::any_of(
      names, [method](std::string_view name) { return telegram::same_ignoring_case(name, method); });
}

}  // namespace

bool is_urgent(std::string_view method) noexcept {
  return holds(kUrgent, method);
}

bool only_reads(std::string_view method) noexcept {
  return telegram::same_ignoring_case(method.substr(0, 3), "get");
}

bool may_repeat(std::string_view method) noexcept {
  return only_reads(method) || holds(kUrgent, method) || holds(kOtherAnswers, method) ||
         holds(kReplacing, method) || holds(kTakingAway, method) || holds(kEditing, method) ||
         holds(kPassing, method);
}

}  // namespace tgkeep::face
